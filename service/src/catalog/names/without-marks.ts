/** Compatibility forms as plain ones (NFKD), without diacritics of European scripts and without invisible characters: `Ｓláck` -> `Slack`. */
export function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/[\u0300-\u036f]|\p{Default_Ignorable_Code_Point}/gu, '');
}
