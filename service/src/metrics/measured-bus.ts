/** A bus that times its requests and counts how often it was lost. Without metrics the bus is used as it is. */
import type { Bus } from '../bus/bus';
import type { Metrics } from './metrics';

export function measuredBus(bus: Bus, metrics: Pick<Metrics, 'busAnswered' | 'busLost' | 'watchBus'>): Bus {
  metrics.watchBus(bus);
  bus.onConnection((connected) => {
    if (!connected) metrics.busLost();
  });
  return {
    get connected() {
      return bus.connected;
    },
    publish: (subject, message) => bus.publish(subject, message),
    subscribe: (subject, listener, options) => bus.subscribe(subject, listener, options),
    onConnection: (listener) => bus.onConnection(listener),
    flush: () => bus.flush(),
    close: () => bus.close(),
    ask(subject, message, answers) {
      const startedAt = performance.now();
      let waiting = true;
      const first = (answered: boolean) => {
        if (waiting) metrics.busAnswered(answered, performance.now() - startedAt);
        waiting = false;
      };
      return bus.ask(subject, message, {
        answer(text) {
          first(true);
          answers.answer(text);
        },
        noResponder() {
          first(false);
          answers.noResponder();
        },
      });
    },
  };
}
