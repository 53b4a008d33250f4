import { Toolkit } from 'svc-sdk';

const toolkit = new Toolkit();
toolkit.action({ action: 'hang', actionDescription: 'Never ends' }, () => {
  console.log('hanging');
  return new Promise(() => {});
});
toolkit.action({ action: 'echo', actionDescription: 'Gives back its payload' }, (_ctx, payload) => payload);
toolkit.ready.then(() => console.log('ready'));
await toolkit.run();
