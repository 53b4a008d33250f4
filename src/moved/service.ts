/** The former entry `svc-sdk/service`: a program with that name gets an error with the new one. */
import { movedTo } from './moved-to';

movedTo('svc-sdk/service', 'svc-service');
