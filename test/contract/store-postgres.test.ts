import { openPostgresStore } from '../../src/service/store/postgres/open';
import { startPostgres } from '../support/postgres';
import { storeContract } from './store';

const server = await startPostgres();

storeContract(
  'postgres',
  async () => {
    const url = await server.newDatabase();
    return () => openPostgresStore({ url, shared: true });
  },
  { lasting: true },
);
