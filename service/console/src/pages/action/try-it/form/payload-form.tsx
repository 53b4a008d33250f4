/** The form of a payload schema: RJSF with the inputs of this folder. Loaded when it is shown. */
// The package root also exports a registry for tests, which imports a validator that is not installed.
import Form from '@rjsf/core/lib/components/Form.js';
import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { useMemo } from 'react';
import type { PayloadIssue } from '#sdk/protocol/errors';
import { formValidator } from './check-payload';
import { ArrayItemTemplate, ArrayTemplate, FieldTemplate, ObjectTemplate } from './groups';
import { CheckboxWidget, ChoicesWidget, NumberWidget, SelectWidget, TextareaWidget, TextWidget } from './inputs';
import { issueErrors } from './issue-errors';
import { JsonField, type JsonFieldContext } from './json-field';

const nothing = () => null;

const templates = {
  FieldTemplate,
  ObjectFieldTemplate: ObjectTemplate,
  ArrayFieldTemplate: ArrayTemplate,
  ArrayFieldItemTemplate: ArrayItemTemplate,
  FieldErrorTemplate: nothing,
  FieldHelpTemplate: nothing,
  // The page has a submit button.
  ButtonTemplates: { SubmitButton: nothing },
};
const widgets = { TextWidget, TextareaWidget, CheckboxWidget, SelectWidget, choices: ChoicesWidget, UpDownWidget: NumberWidget };
const fields = { json: JsonField };

/** Sends only the fields that were filled in, like a model: no defaults, no empty objects. */
const asWritten = { emptyObjectFields: 'skipEmptyDefaults', constAsDefaults: 'never', arrayMinItems: { populate: 'never' } } as const;

export interface PayloadFormProps {
  schema: RJSFSchema;
  uiSchema: UiSchema;
  payload: unknown;
  issues: readonly PayloadIssue[];
  disabled: boolean;
  onChange: (payload: unknown) => void;
  onUnfinished: JsonFieldContext['onUnfinished'];
}

export function PayloadForm({ schema, uiSchema, payload, issues, disabled, onChange, onUnfinished }: PayloadFormProps) {
  const extraErrors = useMemo(() => issueErrors(issues), [issues]);
  const formContext = useMemo((): JsonFieldContext => ({ onUnfinished }), [onUnfinished]);
  return (
    <Form
      tagName="div"
      idPrefix="payload"
      schema={schema}
      uiSchema={uiSchema}
      formData={payload}
      formContext={formContext}
      onChange={({ formData }) => onChange(formData)}
      validator={formValidator}
      liveValidate="onBlur"
      extraErrors={extraErrors}
      showErrorList={false}
      disabled={disabled}
      templates={templates}
      widgets={widgets}
      fields={fields}
      experimental_defaultFormStateBehavior={asWritten}
    />
  );
}
