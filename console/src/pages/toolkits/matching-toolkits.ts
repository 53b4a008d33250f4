import type { ToolkitReport } from '../../../../src/protocol/admin';

/** Those that have every word of the text, one's own first; otherwise in the order given. */
export function matchingToolkits(toolkits: readonly ToolkitReport[], text: string): ToolkitReport[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = toolkits.filter(({ id, name, description }) => {
    const all = `${id} ${name} ${description}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  return [...matching.filter(({ mine }) => mine), ...matching.filter(({ mine }) => !mine)];
}
