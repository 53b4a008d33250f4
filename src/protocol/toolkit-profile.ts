/**
 * A toolkit's page for people: README, icon, homepage, category and version. Models read none of it.
 *
 * Units:  bytes of UTF-8, and of the decoded icon.
 * Source: docs/protocol.md section 6, "Profile".
 */
import { isBase64 } from './content';

export const TOOLKIT_CATEGORIES = [
  'communication',
  'commerce',
  'data',
  'developer',
  'documents',
  'finance',
  'media',
  'productivity',
  'science',
  'search',
  'travel',
  'other',
] as const;

export type ToolkitCategory = (typeof TOOLKIT_CATEGORIES)[number];

const MAX_README_BYTES = 65_536;
export const MAX_ICON_BYTES = 65_536;
const MAX_HOMEPAGE_CHARS = 2_048;
const MAX_VERSION_CHARS = 64;

/** Absent: unchanged. Null: removed. */
export interface ToolkitProfile {
  /** Markdown, at most 65,536 bytes. */
  readme?: string | null;
  /** `data:image/png;base64,…`, JPEG or WebP, at most 65,536 bytes. */
  icon?: string | null;
  /** `https://…` or `http://…`, at most 2,048 characters. */
  homepage?: string | null;
  category?: ToolkitCategory | null;
  /** It has at most 64 characters. */
  version?: string | null;
}

export type IconType = 'image/png' | 'image/jpeg' | 'image/webp';

export type ProfileMember = keyof ToolkitProfile;

export const PROFILE_MEMBERS = ['readme', 'icon', 'homepage', 'category', 'version'] as const satisfies ProfileMember[];

const CHECKS: Record<ProfileMember, (text: string) => string | undefined> = {
  readme: readmeProblem,
  icon: iconProblem,
  homepage: homepageProblem,
  category: categoryProblem,
  version: versionProblem,
};

/** A sentence that says what to send in place of a wrong value; undefined for a good one. */
export function profileProblem(member: ProfileMember, value: unknown): string | undefined {
  if (value === null) return undefined;
  return typeof value === 'string' ? CHECKS[member](value) : 'it is a text, or null to remove it';
}

/** The type that the first bytes show; undefined for SVG and everything else that is not one of the three. */
export function iconTypeOf(bytes: Uint8Array): IconType | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return head.startsWith('RIFF') && head.slice(8) === 'WEBP' ? 'image/webp' : undefined;
}

function readmeProblem(text: string): string | undefined {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_README_BYTES) return `it has ${bytes} bytes; at most ${MAX_README_BYTES} are allowed, shorten it and link to the rest`;
  return characterProblem(text, /[^\P{Cc}\t\n\r]/u);
}

function iconProblem(text: string): string | undefined {
  const [, named = '', data = ''] = /^data:([^;,]*);base64,(.*)$/s.exec(text) ?? [];
  if (/^data:image\/svg/i.test(text)) return 'an SVG can hold scripts; convert it to PNG, JPEG or WebP';
  if (!/^image\/(?:png|jpeg|webp)$/.test(named)) return 'it is a data URL: "data:image/png;base64,…", or image/jpeg, or image/webp';
  if (data === '' || !isBase64(data)) return 'the data after "base64," are not base64 with its padding';
  const size = Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  if (size > MAX_ICON_BYTES) return `it has ${size} bytes; at most ${MAX_ICON_BYTES} are allowed, 128 × 128 pixels are enough`;
  const type = iconTypeOf(Uint8Array.from(atob(data.slice(0, 16)), (char) => char.charCodeAt(0)));
  if (type === named) return undefined;
  return `it is named ${named}, but its bytes are ${type ? `${type}; name it so` : 'none of PNG, JPEG and WebP; convert it to one'}`;
}

function homepageProblem(text: string): string | undefined {
  if (text.length > MAX_HOMEPAGE_CHARS) return `it has ${text.length} characters; at most ${MAX_HOMEPAGE_CHARS} are allowed`;
  const url = /[\s\p{Cc}]/u.test(text) ? null : URL.parse(text);
  if (!url || !/^https?:\/\//i.test(text))
    return 'it is an address such as "https://example.com/weather"; only https:// and http:// are allowed';
  return url.username || url.password ? 'everybody reads it: remove the user name and the password' : undefined;
}

function categoryProblem(text: string): string | undefined {
  if ((TOOLKIT_CATEGORIES as readonly string[]).includes(text)) return undefined;
  const wanted = text.toLowerCase().slice(0, 64);
  const [nearest] = TOOLKIT_CATEGORIES.map((name) => ({ name, edits: editsBetween(wanted, name) })).sort((a, b) => a.edits - b.edits);
  const hint = nearest && nearest.edits <= nearest.name.length / 2 ? ` Did you mean "${nearest.name}"?` : '';
  return `${JSON.stringify(text.slice(0, 64))} is not a category.${hint} The categories: ${TOOLKIT_CATEGORIES.join(', ')}`;
}

function versionProblem(text: string): string | undefined {
  const { length } = [...text];
  if (text.trim() === '') return 'it is a text such as "1.4.0", or null to remove it';
  if (length > MAX_VERSION_CHARS) return `it has ${length} characters; at most ${MAX_VERSION_CHARS} are allowed`;
  return characterProblem(text, /\p{Cc}/u);
}

function characterProblem(text: string, control: RegExp): string | undefined {
  const found = control.exec(text);
  if (found) {
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return `it has the control character U+${code}; remove it`;
  }
  return text.isWellFormed() ? undefined : 'it has half a character (a lone surrogate); remove it';
}

/** The Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, char] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 0; at < other.length; at++) {
      const replaced = (row[at] as number) + (other[at] === char ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] as number) + 1, (next[at] as number) + 1));
    }
    row = next;
  }
  return row[other.length] as number;
}
