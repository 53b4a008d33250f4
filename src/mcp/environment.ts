/**
 * Which tools are offered, from the environment. Key and address are not read here: `Tools` does so by itself.
 *
 * Errors: INVALID_REQUEST for what cannot be meant.
 */
import { type GetToolsOptions, SvcError } from 'svc-sdk';

export function readSelection({ SVC_DYNAMIC_TOOLS, SVC_STATIC_TOOLKITS, SVC_STATIC_ACTIONS }: NodeJS.ProcessEnv): GetToolsOptions {
  return {
    dynamicTools: readFlag('SVC_DYNAMIC_TOOLS', SVC_DYNAMIC_TOOLS) ?? true,
    staticToolkits: readList(SVC_STATIC_TOOLKITS),
    staticActions: readList(SVC_STATIC_ACTIONS),
  };
}

/** Undefined for an empty variable too, as configurations often have it. */
function readFlag(name: string, text = ''): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  if (word === '') return undefined;
  throw new SvcError('INVALID_REQUEST', `${name} is ${JSON.stringify(text)}: write true or false`);
}

function readList(text = ''): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}
