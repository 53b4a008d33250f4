/** The value of each kind on the wire, where its name here is another one. Nodes of an earlier version read only these values. */
export const KIND = {
  heartbeat: 'alive',
  offersRequest: 'tell-all',
  allOffers: 'all',
  searchCalled: 'called',
  searchReworded: 'reworded',
  activityQuery: 'look',
  activity: 'seen',
} as const;
