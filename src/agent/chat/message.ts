/**
 * A message of a conversation, in the shape of OpenAI chat completions. Messages are stored as the model's server sent them. Unknown
 * members are kept and sent back, since some servers need them (`reasoning_details`, thought signatures).
 *
 * Members that begin with `svc_` belong to this package and are not sent to models.
 */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content?: string | MessagePart[] | null;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
  /** Images of a tool's result, as data URLs: `data:image/png;base64,…`. The person receives the images; the model reads placeholders. */
  svc_images?: string[];
  [other: string]: unknown;
}

export interface ToolCall {
  id: string;
  type: string;
  /** Absent in calls of other types than `function`. */
  function?: { name: string; arguments: string };
  [other: string]: unknown;
}

export type MessagePart = TextPart | ImagePart;

export interface TextPart {
  type: 'text';
  text: string;
}

export interface ImagePart {
  type: 'image_url';
  /** A data URL, such as `data:image/png;base64,…`. */
  image_url: { url: string };
}

/** The text of a message, without its images. */
export function messageText({ content }: Message): string {
  if (!Array.isArray(content)) return content ?? '';
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
