/** The contract of agent clients, for clients of the board: a platform of the tests. */
import { clientContract } from 'svc-sdk/agent/testing';
import { expect, onTestFinished } from 'vitest';
import { type BoardClient, type BoardOptions, startBoard } from '../../../test/support/board';

type BoardClientClass = new (options: BoardOptions) => BoardClient;

/** The client with the fault, the case that finds it, and its words. */
export type BoardFault = [client: BoardClientClass, name: string, problem: RegExp];

export async function contractOf(Client: BoardClientClass) {
  const board = await startBoard();
  onTestFinished(() => board.close());
  return clientContract((credentials) => new Client(credentials === 'right' ? board.clientOptions : board.wrongCredentials), board);
}

export async function expectFound([Client, name, problem]: BoardFault): Promise<void> {
  const found = (await contractOf(Client)).find((candidate) => candidate.name === name);
  await expect(found?.run()).rejects.toThrow(problem);
}
