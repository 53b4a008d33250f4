/** The source of a toolkit: an MCP server or an OpenAPI document, and the filters for its actions. */
import { Button, FileInput, Group, Radio, Select, SimpleGrid, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { hasCredential, type SourceKind, type SourceValues } from './source-values';

type SourceFormState = UseFormReturnType<SourceValues>;

const KINDS: Record<SourceKind, { label: string; description: string }> = {
  'mcp-command': { label: 'MCP server, by command', description: 'A program on the machine that serves the toolkits' },
  'mcp-url': { label: 'MCP server, by URL', description: 'A server that speaks streamable HTTP' },
  'openapi-url': { label: 'OpenAPI document, by URL', description: 'The document is fetched now and kept as a file' },
  'openapi-file': { label: 'OpenAPI document, from a file', description: 'JSON or YAML, version 2.0 to 3.2' },
};

const ACCOUNTS = [
  { value: 'operator', label: 'Yours, from the settings here' },
  { value: 'user', label: 'Each user’s own' },
  { value: 'agent', label: 'Each agent key’s own' },
  { value: 'everyone', label: 'One for everyone, connected later' },
  { value: 'caller', label: 'The caller’s, sent with each call' },
] satisfies { value: SourceValues['account']; label: string }[];

const AUTHS = [
  { value: 'none', label: 'None' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'basic', label: 'User and password (basic)' },
  { value: 'apiKey', label: 'API key' },
];

export interface SourceFormProps {
  form: SourceFormState;
  /** Label of the button. */
  action: string;
  isPending: boolean;
  onSubmit: () => void;
}

export function SourceForm({ form, action, isPending, onSubmit }: SourceFormProps) {
  const { kind } = form.values;
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Stack gap="md">
        <Radio.Group label="Kind" {...form.getInputProps('kind')}>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt={6}>
            {Object.entries(KINDS).map(([value, { label, description }]) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </SimpleGrid>
        </Radio.Group>
        <TextInput
          label="Toolkit id"
          description="The first part of the ids of its actions."
          placeholder="github"
          maw="20rem"
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: 'ids' }}
          {...form.getInputProps('id')}
        />
        {kind === 'mcp-command' && <CommandFields form={form} />}
        {kind === 'mcp-url' && <UrlField form={form} label="URL of the server" placeholder="https://mcp.example.com/mcp" />}
        {kind === 'openapi-url' && <UrlField form={form} label="URL of the document" placeholder="https://api.example.com/openapi.json" />}
        {kind === 'openapi-file' && (
          <FileInput
            label="Document"
            placeholder="Choose a file"
            accept=".json,.yaml,.yml,application/json,application/yaml"
            maw="30rem"
            clearable
            clearButtonProps={{ 'aria-label': 'Remove the document' }}
            {...form.getInputProps('file')}
          />
        )}
        {kind !== 'mcp-command' && (
          <Select
            label="Account of its calls"
            description="A call without the account that it needs does not run with another one."
            data={ACCOUNTS}
            allowDeselect={false}
            maw="20rem"
            {...form.getInputProps('account')}
          />
        )}
        {kind.startsWith('openapi') && <OpenapiFields form={form} />}
        {kind !== 'mcp-command' && (
          <Textarea
            label="Headers"
            description={`Optional. One on each line. Secrets as \${NAME}, a variable of the environment of svc-service serve.`}
            placeholder={`Authorization: Bearer \${SHOP_TOKEN}`}
            autosize
            minRows={1}
            maxRows={6}
            spellCheck={false}
            classNames={{ input: 'ids' }}
            {...form.getInputProps('headers')}
          />
        )}
        <Filters form={form} />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function CommandFields({ form }: { form: SourceFormState }) {
  return (
    <>
      <TextInput
        label="Command"
        description="It runs on the machine of svc-service serve, with the rights of its user. Pin the version of a package."
        placeholder="npx -y @modelcontextprotocol/server-memory"
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: 'ids' }}
        {...form.getInputProps('command')}
      />
      <Textarea
        label="Variables"
        description={`Optional. One on each line. The server gets PATH, HOME and these. Secrets as \${NAME}, a variable of the environment of svc-service serve.`}
        placeholder={`GITHUB_TOKEN=\${GITHUB_TOKEN}`}
        autosize
        minRows={1}
        maxRows={6}
        spellCheck={false}
        classNames={{ input: 'ids' }}
        {...form.getInputProps('env')}
      />
    </>
  );
}

function UrlField({ form, label, placeholder }: { form: SourceFormState; label: string; placeholder: string }) {
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      type="url"
      autoComplete="off"
      spellCheck={false}
      classNames={{ input: 'ids' }}
      {...form.getInputProps('url')}
    />
  );
}

function OpenapiFields({ form }: { form: SourceFormState }) {
  const { account, auth } = form.values;
  return (
    <>
      <TextInput
        label="Base URL"
        description="Optional. Where the API is. Default: the first https server of the document."
        placeholder="https://api.example.com/v1"
        type="url"
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: 'ids' }}
        {...form.getInputProps('baseUrl')}
      />
      {account === 'operator' && (
        <SimpleGrid cols={{ base: 1, sm: auth === 'none' ? 1 : 2 }} spacing="md">
          <Select label="Credential" data={AUTHS} allowDeselect={false} maw="20rem" {...form.getInputProps('auth')} />
          {hasCredential(form.values) && (
            <TextInput
              label="Its variable"
              placeholder={auth === 'basic' ? `\${API_USER}:\${API_PASSWORD}` : `\${API_TOKEN}`}
              autoComplete="off"
              spellCheck={false}
              classNames={{ input: 'ids' }}
              {...form.getInputProps('credential')}
            />
          )}
        </SimpleGrid>
      )}
    </>
  );
}

function Filters({ form }: { form: SourceFormState }) {
  const isOpenapi = form.values.kind.startsWith('openapi');
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TagsInput
          label="Only these actions"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear: Only these actions' }}
          {...form.getInputProps('include')}
        />
        <TagsInput
          label="Without these actions"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear: Without these actions' }}
          {...form.getInputProps('exclude')}
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        Optional. Press Enter after each: a name such as repos_*{isOpenapi && ', a tag such as tag:issues, or a path such as GET /repos/**'}
        .
      </Text>
    </Stack>
  );
}
