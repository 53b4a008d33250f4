/**
 * Requests and answers between the console and an importer, the process that serves a `toolkits.yaml`. The service passes them on and reads none.
 * `Importer` is the interface of both sides. No runtime dependency: the console imports this too.
 */
import type { ToolkitAuth } from './connections';
import type { ActionAnnotations } from './http';
import type { LintFinding } from './lint';

/** A source to import, as `toolkits.yaml` names it. */
export interface ImportRequest {
  /** Id of the toolkit. */
  id: string;
  /** The entry of `toolkits.yaml`. `openapi.file` may be an http(s) URL: the importer fetches it and keeps it as a file. */
  entry: Record<string, unknown>;
  /** Text of an uploaded OpenAPI document, in place of `openapi.file`. */
  document?: string;
}

export interface ImportPreview {
  toolkit: { name?: string; description?: string };
  /** The actions that agents would see: after the filters of the entry. */
  actions: ImportedActionPreview[];
  /** Tags of the whole source with the number of their actions, the most frequent first. An MCP server has none. */
  tags: { tag: string; actions: number }[];
  /** Parts of the source that are left out: operations that became no action, such as `PUT /pets/{id}`, and with `part` a part of an action. */
  skipped: { what: string; part?: string; why: string }[];
  /**
   * The addresses that the calls go to, such as `https://api.example.com/v1`, with the number of their actions, and the credentials and headers of the
   * settings that go there, such as `header authorization`. None for an MCP server.
   */
  targets: { address: string; actions: number; sent: string[] }[];
  /** The connection of each call. Absent: the calls have none. */
  auth?: ToolkitAuth;
  findings: LintFinding[];
  /** Variables of the environment and credentials that must be set before it works. */
  missing: string[];
  /** The lines for `toolkits.yaml`. */
  yaml: string;
  /** SHA-256 of all that agents would see, and of where their calls go. `add` takes what was shown, or refuses. */
  sha256: string;
}

export interface ImportedActionPreview {
  action: string;
  title?: string;
  actionDescription: string;
  payloadDescription: Record<string, unknown>;
  resultDescription?: Record<string, unknown>;
  annotations: ActionAnnotations;
}

export interface ImportStatus {
  id: string;
  /** Such as `npx -y @modelcontextprotocol/server-memory`, a URL, or the file of a document. Holds no secret. */
  source: string;
  state: 'starting' | 'online' | 'failed';
  /** Why it failed, and what to do next. */
  problem?: string;
  actions: number;
  held?: HeldChanges;
}

/** Differences from the approved actions, which are not served. */
export interface HeldChanges {
  /** One line for each, such as `changed repos_get`. */
  changes: { kind: 'new' | 'changed' | 'renamed' | 'gone' | 'toolkit'; action?: string }[];
  /** The differences as text: `-` before approved lines, `+` before new ones. */
  diff: string;
  /** SHA-256 of what is held. `approve` takes what was shown, or refuses. */
  sha256: string;
}

/** All methods reject with an `SvcError`: INVALID_REQUEST for a mistake of the caller, CONFLICT where something changed since it was shown. */
export interface Importer {
  preview(request: ImportRequest): Promise<ImportPreview>;
  /** Writes the entry and its approved actions, and serves it. */
  add(request: ImportRequest, sha256: string): Promise<void>;
  list(): Promise<ImportStatus[]>;
  approve(id: string, sha256: string): Promise<void>;
}
