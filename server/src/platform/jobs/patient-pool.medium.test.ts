import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { patientPool } from './patient-pool.ts';

test('a database that breaks off in the middle is one to wait for; a wrong statement stays what it is', async () => {
  const database = await testDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pool.on('error', () => {});
  const client = await patientPool(pool).connect();
  client.on('error', () => {});
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await expect(client.query('select wrong')).rejects.toMatchObject({ code: '42703' });
  await expect(client.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toMatchObject({ code: '57P03' });
  await expect(client.query('select 1')).rejects.toMatchObject({ code: '57P03' });
  client.release(true);
  await pool.end();
  await database.drop();
});
