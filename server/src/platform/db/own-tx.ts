import type pg from 'pg';

/** A transaction of the owner, for what the roles of the server may not see. */
export async function inOwnTx<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const made = await work(client);
    await client.query('commit');
    return made;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
