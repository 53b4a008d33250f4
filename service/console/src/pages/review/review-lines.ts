import type { Payment } from '#sdk/protocol/http';

/** The texts of a review, line by line, in the order in which a person judges them. */
interface ReviewedTexts {
  description: string;
  payloadSchema: unknown;
  annotations: unknown;
  payment?: Payment;
  toolkit: { name: string; description: string };
}

export function reviewLines(text: string): string[] {
  const { description, payloadSchema, annotations, payment, toolkit } = JSON.parse(text) as ReviewedTexts;
  return [
    ...part('Description', description),
    ...part('Payload', JSON.stringify(payloadSchema, null, 2)),
    ...part('Annotations', JSON.stringify(annotations)),
    ...(payment ? part('Price of one call, at most', `${payment.amount} ${payment.currency}`) : []),
    ...part('Toolkit', [toolkit.name, toolkit.description].filter((line) => line !== '').join('\n')),
  ];
}

function part(title: string, text: string): string[] {
  return [`${title}:`, ...text.split('\n').map((line) => `  ${line}`)];
}
