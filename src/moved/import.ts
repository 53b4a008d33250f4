/** The former entry `svc-sdk/import`: a program with that name gets an error with the new one. */
import { movedTo } from './moved-to';

movedTo('svc-sdk/import', 'svc-service/import');
