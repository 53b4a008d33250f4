/** A platform on loopback, for tests: real HTTP (and WebSocket), faults on demand. */

/** Most members are also HTTP requests with JSON bodies, so that tests in other languages can use the fake. */
export interface FakePlatform {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** The credential that must not appear in errors. */
  readonly secret: string;
  /** Sends a message of a person: `POST /say`. Returns the platform's id of the message, over HTTP as `{messageId}`. */
  say(message: FakeMessage): Promise<string>;
  /** Presses a button of the newest question in a chat: `POST /press`. */
  press(press: FakePress): Promise<void>;
  /** The current messages of the bot, in order: `GET /sent`. */
  readonly sent: readonly SentMessage[];
  /** `POST /faults` */
  fault(fault: FakeFault): void;
  /** Requests in order of arrival; the status is 0 until the answer is sent: `GET /requests`. */
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

export interface FakeMessage {
  text: string;
  /** As the client's `MessageContext.chatId`. Default: one chat for all messages. */
  chatId?: string;
  userId?: string;
  userName?: string;
  /** Default: true. */
  isPrivate?: boolean;
  /** Data URLs. */
  images?: string[];
  messageId?: string;
  /** Delivers the message twice. */
  twice?: boolean;
}

export interface FakePress {
  chatId: string;
  /** Default: the author of the last message in the chat. */
  userId?: string;
  button: 'yes' | 'no';
}

export interface SentMessage {
  chatId: string;
  text: string;
  images?: number;
  /** Labels. */
  buttons?: string[];
  edits?: number;
  /** Id of the answered message. */
  replyTo?: string;
}

export interface SeenRequest {
  readonly method: string;
  /** The URL's path, without the query. */
  readonly path: string;
  readonly status: number;
}

/** A failure of the next requests, or of the gateway's connection. */
export interface FakeFault {
  /** Only requests whose path ends with this text. Default: all. */
  on?: string;
  /** Default: 1. */
  times?: number;
  /** The answer's status. */
  status?: number;
  /** The Retry-After of the answer, in seconds. */
  retryAfter?: number;
  /** Destroys the socket. */
  cut?: boolean;
  /** Delays the answer. */
  hangMs?: number;
  /** The request takes effect before the fault. */
  done?: boolean;
  /** Closes the gateway's connection with this code. */
  close?: number;
  /** The gateway sends this operation code. */
  op?: number;
  /** The gateway does not acknowledge heartbeats. */
  silent?: boolean;
}
