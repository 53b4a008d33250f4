/** The MCP methods that become actions. They are the original names of these actions in pins, so no tool can have these names. */
export const LIST_RESOURCES = 'resources/list';
export const READ_RESOURCE = 'resources/read';
export const RESOURCE_METHODS: readonly string[] = [LIST_RESOURCES, READ_RESOURCE];
