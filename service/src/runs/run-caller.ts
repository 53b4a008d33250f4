/** The key with whose rights a program makes its calls, as it is at each call. */
import { SvcError } from '#sdk/protocol/errors';
import type { CallingKey } from '../keys/agent-tokens';
import type { CallerIds } from '../keys/caller-ids';
import type { GrantChecks } from '../keys/grant-checks';
import { callingKeyOf, type KeptCaller } from '../keys/kept-caller';
import type { KeyRing } from '../keys/key-ring';
import type { KeyRecord } from '../store/store';

export interface RunCallerDeps {
  keys: Pick<KeyRing, 'find' | 'again' | 'hold'>;
  grants: Pick<GrantChecks, 'check'>;
}

export class RunCaller {
  readonly #deps: RunCallerDeps;
  readonly #record: KeyRecord;
  readonly #kept: KeptCaller;
  /** While it is held, the end of the key reaches its calls. */
  readonly release: () => void;

  private constructor(deps: RunCallerDeps, record: KeyRecord, kept: KeptCaller) {
    this.#deps = deps;
    this.#record = record;
    this.#kept = kept;
    this.release = deps.keys.hold(record);
  }

  /** Rejects with KEY_REVOKED or KEY_EXPIRED. */
  static async open(deps: RunCallerDeps, agentKeyId: string, kept: KeptCaller): Promise<RunCaller> {
    const found = await deps.keys.find(agentKeyId);
    if (!found) throw new SvcError('KEY_REVOKED', `Key ${agentKeyId} of the run does not exist any more`);
    const caller = new RunCaller(deps, await deps.keys.again(found, 'agent'), kept);
    try {
      await caller.now();
      return caller;
    } catch (error) {
      caller.release();
      throw error;
    }
  }

  /** Rejects with KEY_REVOKED or KEY_EXPIRED. */
  async now(): Promise<{ key: CallingKey; callerIds: CallerIds | undefined }> {
    const record = await this.#deps.keys.again(this.#record, 'agent');
    if (!record.code) throw new SvcError('KEY_REVOKED', `Key ${record.id} may not run code any more`);
    const { token } = this.#kept;
    if (token?.grantId !== undefined) await this.#deps.grants.check(token.grantId, record.id);
    return callingKeyOf(record, this.#kept);
  }
}
