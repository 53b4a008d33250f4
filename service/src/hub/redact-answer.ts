/**
 * Removes the secret of a call's connection from what its handler reports: an API may repeat it in an error. Encoded copies are not found.
 */
import type { FrameError } from '#sdk/protocol/frames';
import type { Progress } from '#sdk/protocol/http';
import { jsonWithoutSecrets, withoutSecrets } from '../lib/call-connection';
import type { AnsweredResult, UsedConnection } from './attempt';

type Used = UsedConnection | undefined;

export function answerWithoutSecrets(answer: AnsweredResult | { error: FrameError }, used: Used): AnsweredResult | { error: FrameError } {
  if (!used) return answer;
  const { secrets } = used.connection;
  if ('error' in answer) return { error: JSON.parse(jsonWithoutSecrets(JSON.stringify(answer.error), secrets)) };
  const { resultJson, contentJson, metaJson } = answer;
  return {
    ...answer,
    resultJson: jsonWithoutSecrets(resultJson, secrets),
    ...(contentJson !== undefined && { contentJson: jsonWithoutSecrets(contentJson, secrets) }),
    ...(metaJson !== undefined && { metaJson: jsonWithoutSecrets(metaJson, secrets) }),
  };
}

export function progressWithoutSecrets(progress: Progress, used: Used): Progress {
  if (!used || progress.message === undefined) return progress;
  return { ...progress, message: withoutSecrets(progress.message, used.connection.secrets) };
}
