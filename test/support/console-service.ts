/** A real service with its console on, and people who are signed in to it. */
import { SvcError } from 'svc-sdk';
import type { ServiceOptions } from 'svc-service';
import type { CreatedInvitation, Role } from '../../src/protocol/admin';
import { ADMIN_PATHS } from '../../src/protocol/admin';
import { startService, type TestService } from './service';

export interface Asker {
  /** A raw answer. */
  ask(method: string, path: string, body?: unknown, init?: RequestInit): Promise<Response>;
  /** The JSON of an answer; a problem is thrown as the SvcError that it is. */
  json<T>(method: string, path: string, body?: unknown): Promise<T>;
}

export interface SignedInPerson extends Asker {
  id: string;
  cookie: string;
}

export interface ConsoleService extends TestService {
  owner: SignedInPerson;
  join(name: string, role?: Role): Promise<SignedInPerson>;
  /** Sends a key as bearer, or no key. */
  as(key?: string): Asker;
}

const PASSWORD = 'seven blue whales';

export async function startConsole(options: ServiceOptions = {}): Promise<ConsoleService> {
  const service = await startService({ console: true, ...options });
  const origin = (typeof options.console === 'object' && options.console.publicUrl) || service.url;
  const asker = (headers: Record<string, string>): Asker => {
    const ask: Asker['ask'] = (method, path, body, init = {}) =>
      fetch(service.url + path, {
        ...init,
        method,
        headers: { ...headers, origin, ...(body !== undefined && { 'content-type': 'application/json' }), ...init.headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    return {
      ask,
      json: async (method, path, body) => {
        const response = await ask(method, path, body);
        const text = await response.text();
        const answer = text === '' ? undefined : JSON.parse(text);
        if (!response.ok) throw SvcError.fromProblem(answer) ?? new Error(text);
        return answer;
      },
    };
  };
  const nobody = asker({});
  const accept = async (token: string, name: string): Promise<SignedInPerson> => {
    const body = { token, name, email: `${name}@example.com`, password: PASSWORD };
    const response = await nobody.ask('POST', `${ADMIN_PATHS.invitations}/accept`, body);
    if (!response.ok) throw new Error(await response.text());
    const cookie = response.headers
      .getSetCookie()
      .map((set) => set.split(';')[0])
      .join('; ');
    const me = (await response.json()) as { person: { id: string } };
    return { ...asker({ cookie }), id: me.person.id, cookie };
  };
  const link = (await service.setupLink()) ?? '';
  const owner = await accept(link.split('#')[1] ?? '', 'olga');
  return {
    ...service,
    owner,
    join: async (name, role = 'member') => {
      const { token } = await owner.json<CreatedInvitation>('POST', ADMIN_PATHS.invitations, { role });
      return accept(token, name);
    },
    as: (key) => (key === undefined ? nobody : asker({ authorization: `Bearer ${key}` })),
  };
}
