/** The line of a goal, at the end of a bench. */
export function goalLine(isMet: boolean, text: string): string {
  return `${isMet ? 'met   ' : 'missed'}  ${text}`;
}
