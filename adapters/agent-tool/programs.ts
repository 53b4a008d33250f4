/** The tools that a program of the model's provider may call, with `programmatic`. */
import { type JsonSchema, mayProgramCall, resultType, type ToolDefinition } from 'svc-sdk';
import type { NeedsApproval } from './options';

/** A tool as programs see it. */
export interface ProgramTool {
  /** The description, with the type of the result where it is known. */
  description: string;
  /** JSON Schema of the texts that the tool answers with: the result, or an error. Absent: the result is not known. */
  outputSchema?: JsonSchema;
}

export interface ProgramRules {
  needsApproval: NeedsApproval | undefined;
  askAbove: string | undefined;
  programmatic: boolean | undefined;
}

const FAILED: JsonSchema = { type: 'object', properties: { error: { type: 'object' } }, required: ['error'] };

/** A reference to a place outside of the definitions leads elsewhere once the schema is inside of another. */
const MOVED_REFERENCE = /"\$ref":"(?!#\/(?:\$defs|definitions)\/)/;

/** Undefined for a tool that only the model itself may call: a program does not wait for a human, and may make a call twice. */
export function programTool(definition: ToolDefinition, rules: ProgramRules): ProgramTool | undefined {
  const { name, description, annotations, payment, resultSchema } = definition;
  const mayAsk = typeof rules.needsApproval === 'function' || rules.needsApproval === true || (payment && rules.askAbove !== undefined);
  if (!rules.programmatic || mayAsk) return undefined;
  if (name === 'search_services') return { description };
  // The service refuses its calls of other actions, but a framework that asks would have asked a human before.
  if (name === 'invoke_service') return rules.needsApproval === false && rules.askAbove === undefined ? { description } : undefined;
  if (!mayProgramCall(annotations)) return undefined;
  return { description, ...(resultSchema && withOutput(resultSchema)) };
}

/** Adds the type of the result to the description, for APIs without output schemas. */
export async function withResultType(definition: ToolDefinition, program: ProgramTool): Promise<ProgramTool> {
  const type = definition.resultSchema && (await resultType(definition.resultSchema));
  return type === undefined || type === 'any' ? program : { ...program, description: `${program.description}\nReturns ${type}` };
}

function withOutput(resultSchema: JsonSchema): { outputSchema?: JsonSchema } {
  const { $schema, $defs, definitions, ...shape } = resultSchema;
  const says = Object.keys(shape).some((keyword) => keyword !== 'description');
  if (!says || MOVED_REFERENCE.test(JSON.stringify(resultSchema))) return {};
  return {
    outputSchema: { anyOf: [shape, FAILED], ...($defs !== undefined && { $defs }), ...(definitions !== undefined && { definitions }) },
  };
}
