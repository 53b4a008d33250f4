export { measuredBus } from './measured-bus';
export { measuredStore } from './measured-store';
export { Metrics } from './metrics';
