/** Fields with several values: objects and lists. */
import { ActionIcon, Box, Button, Fieldset, Group, Stack, Text } from '@mantine/core';
import type { ArrayFieldItemTemplateProps, ArrayFieldTemplateProps, FieldTemplateProps, ObjectFieldTemplateProps } from '@rjsf/utils';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { written } from './written';

/** Shows the errors of an object as a whole, such as a missing one. Inputs and lists show their own errors. */
export function FieldTemplate({ children, schema, rawErrors = [] }: FieldTemplateProps) {
  return (
    <Box>
      {children}
      {schema.type === 'object' && <GroupErrors errors={rawErrors} />}
    </Box>
  );
}

export function ObjectTemplate({ fieldPathId, title, description, required, properties }: ObjectFieldTemplateProps) {
  const fields = <Stack gap="md">{properties.map(({ content }) => content)}</Stack>;
  if (fieldPathId.path.length === 0) return fields;
  return (
    <FieldGroup title={title} required={required === true} description={description}>
      {fields}
    </FieldGroup>
  );
}

export function ArrayTemplate({ title, required, schema, items, canAdd, onAddClick, disabled, rawErrors = [] }: ArrayFieldTemplateProps) {
  return (
    <FieldGroup title={title} required={required === true} description={schema.description}>
      <Stack gap="xs" align="stretch">
        {items}
        {canAdd && (
          <Box>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={onAddClick}
              disabled={disabled === true}
            >
              Add an item
            </Button>
          </Box>
        )}
        <GroupErrors errors={rawErrors} />
      </Stack>
    </FieldGroup>
  );
}

export function ArrayItemTemplate({ children, buttonsProps, index, disabled }: ArrayFieldItemTemplateProps) {
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <Box flex={1} miw={0}>
        {children}
      </Box>
      {buttonsProps.hasRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={buttonsProps.onRemoveItem}
          disabled={disabled === true}
          aria-label={`Remove item ${index + 1}`}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </Group>
  );
}

interface FieldGroupProps {
  title: string;
  required: boolean;
  description?: ReactNode;
  children: ReactNode;
}

function FieldGroup({ title, required, description, children }: FieldGroupProps) {
  return (
    <Fieldset
      legend={
        <>
          {title}
          {required && <span aria-hidden> *</span>}
        </>
      }
      p="sm"
    >
      {description && (
        <Text size="xs" c="dimmed" mb="xs" component="div">
          {typeof description === 'string' ? written(description) : description}
        </Text>
      )}
      {children}
    </Fieldset>
  );
}

function GroupErrors({ errors }: { errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <Text size="xs" c="var(--mantine-color-error)" mt="xs" role="alert">
      {errors.join('. ')}
    </Text>
  );
}
