/** Alerts do not reach a target. It is shown after three tries, which a restart of the receiver does not need. */
import type { AlertCheck } from '../alert-check';

const TRIES = 3;

export const targetDown: AlertCheck = {
  kind: 'target-down',
  async check(context) {
    const targets = new Map((await context.targets()).map(({ id, place }) => [id, place]));
    return (await context.targetStates()).flatMap(({ target, failing }) => {
      const place = targets.get(target);
      if (place === undefined || failing === null || failing.tries < TRIES) return [];
      const text = `Alerts do not reach ${place}: ${failing.error}`;
      return [{ kind: 'target-down', subject: target, severity: 'critical', text, link: '/alerts' }];
    });
  },
};
