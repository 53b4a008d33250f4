/** Adds a toolkit of an MCP server or of an OpenAPI document: its source, a preview of its actions, and the button. */
import { Alert, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ImportPreview, ImportRequest } from '#sdk/protocol/imports';
import { importsQuery, useAddImport, usePreviewImport } from '../../api/imports';
import { FormError } from '../../parts/form-error';
import { OwnersOnly } from '../../parts/owners-only';
import { Page } from '../../parts/page';
import { QueryView } from '../../parts/query-view';
import { Section } from '../../parts/section';
import { PreviewSection } from './preview-section';
import { SourceAsText } from './source-as-text';
import { SourceForm } from './source-form';
import { checkSource, EMPTY_SOURCE, entryOf, type SourceValues } from './source-values';

export function AddToolkitPage() {
  return (
    <Page title="Add a toolkit" description="Make a toolkit of an MCP server or of an API with an OpenAPI document.">
      <OwnersOnly>
        <Loaded />
      </OwnersOnly>
    </Page>
  );
}

function Loaded() {
  const query = useQuery(importsQuery);
  return <QueryView query={query}>{({ available }) => (available ? <AddHere /> : <AddElsewhere />)}</QueryView>;
}

const useSourceForm = () => useForm<SourceValues>({ initialValues: EMPTY_SOURCE, validate: checkSource });

function AddHere() {
  const form = useSourceForm();
  const [shown, setShown] = useState<{ request: ImportRequest; preview: ImportPreview }>();
  const preview = usePreviewImport();
  const add = useAddImport();
  const navigate = useNavigate();
  const isCurrent = shown !== undefined && isSame(shown.request, form.values);
  const look = async () => {
    add.reset();
    const request = await requestOf(form.values);
    preview.mutate(request, { onSuccess: (answer) => setShown({ request, preview: answer }) });
  };
  const addShown = () => {
    if (!shown) return;
    const { request } = shown;
    add.mutate(
      { ...request, sha256: shown.preview.sha256 },
      {
        onSuccess: ({ id }) => {
          notifications.show({ message: `Added ${id}` });
          void navigate({ to: '/toolkits/$id', params: { id } });
        },
      },
    );
  };
  return (
    <Stack gap="lg">
      <Section title="Source">
        <Stack gap="md">
          <SourceForm
            form={form}
            action={shown ? 'Update the preview' : 'Preview'}
            isPending={preview.isPending}
            onSubmit={() => void look()}
          />
          <FormError error={preview.error} />
        </Stack>
      </Section>
      {shown && (
        <PreviewSection
          id={shown.request.id}
          preview={shown.preview}
          isCurrent={isCurrent}
          include={form.values.include}
          onInclude={(include) => form.setFieldValue('include', include)}
          isAdding={add.isPending}
          error={add.error}
          onAdd={addShown}
        />
      )}
      {shown && <SourceAsText values={form.values} />}
    </Stack>
  );
}

/** The page if the service cannot add toolkits: a form that makes the command, without a preview. */
function AddElsewhere() {
  const form = useSourceForm();
  const [values, setValues] = useState<SourceValues>();
  return (
    <Stack gap="lg">
      <Alert variant="light" title="This service adds no toolkits itself" icon={<IconInfoCircle size={18} />}>
        The service runs no commands on its machine, so this page has no preview. Fill in the form, then copy the command or the lines to
        the machine that serves the toolkits. To add them here, start the service with svc-service serve --toolkits toolkits.yaml.
      </Alert>
      <Section title="Source">
        <SourceForm form={form} action="Show the command" isPending={false} onSubmit={() => setValues({ ...form.values })} />
      </Section>
      {values && <SourceAsText values={values} />}
    </Stack>
  );
}

async function requestOf(values: SourceValues): Promise<ImportRequest> {
  const { id, kind, file } = values;
  return { id, entry: entryOf(values), ...(kind === 'openapi-file' && file && { document: await file.text() }) };
}

function isSame({ id, entry }: ImportRequest, values: SourceValues): boolean {
  return id === values.id && JSON.stringify(entry) === JSON.stringify(entryOf(values));
}
