/**
 * The contract of a client as cases for any test runner: ids, order, cursors, failures of the platform, replies, questions, ends.
 *
 * Shape:  the cases run one after the other on one fake. Each case uses its own chats and stops its clients.
 * Units:  a case takes up to 5 seconds with a client that keeps the contract. Each wait has a limit of 15 seconds.
 * Errors: an Error with the client's behaviour and the expected one.
 */
import { END_CASES } from './contract/end-cases';
import { FAILURE_CASES } from './contract/failure-cases';
import { RECEIVE_CASES } from './contract/receive-cases';
import { REPLY_CASES } from './contract/reply-cases';
import { SECRET_CASES } from './contract/secret-cases';
import type { FakeWithCredentials } from './contract/secrets';
import { PARTIAL_CASES, QUESTION_CASES } from './contract/shown-cases';
import { type MakeClient, Stage } from './contract/stage';

export interface ContractCase {
  /** The behaviour, as the name of a test. */
  name: string;
  /** Rejects when the client violates the contract. */
  run(): Promise<void>;
}

/**
 * @param make makes a client with valid or invalid credentials
 * @param fake a `FakePlatform`; its members `clientOptions` and `wrongCredentials`, if it has them, are credentials too
 */
export function clientContract(make: MakeClient, fake: FakeWithCredentials): ContractCase[] {
  const { askApproval, showPartial } = make('right');
  const cases = {
    ...RECEIVE_CASES,
    ...FAILURE_CASES,
    ...REPLY_CASES,
    ...(askApproval && QUESTION_CASES),
    ...(showPartial && PARTIAL_CASES),
    ...END_CASES,
    ...SECRET_CASES,
  };
  return Object.entries(cases).map(([name, play]) => ({ name, run: () => playOn(new Stage(make, fake), play) }));
}

async function playOn(stage: Stage, play: (stage: Stage) => Promise<void>): Promise<void> {
  try {
    await play(stage);
  } catch (error) {
    // The first error causes the later ones.
    await stage.end().catch(() => {});
    throw error;
  }
  await stage.end();
}
