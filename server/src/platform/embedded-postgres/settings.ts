import { totalmem } from 'node:os';

const megabyte = 1024 ** 2;
const between = (least: number, value: number, most: number) => Math.round(Math.min(most, Math.max(least, value)));

/** For one small server that shares the machine with the process beside it. */
export function serverSettings(durable: boolean): Record<string, string> {
  const memory = totalmem() / megabyte;
  return {
    max_connections: '100',
    shared_buffers: `${durable ? between(64, memory / 8, 1024) : 128}MB`,
    effective_cache_size: `${between(256, memory / 2, 16_384)}MB`,
    maintenance_work_mem: `${between(32, memory / 32, 256)}MB`,
    work_mem: '8MB',
    jit: 'off',
    random_page_cost: '1.1',
    // No replica and no archive reads this log: bulk loads write less of it.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    // A commit empties it; what is left of the usual sixteen is memory for nothing.
    wal_buffers: '4MB',
    wal_compression: 'on',
    max_wal_size: '2GB',
    checkpoint_timeout: '10min',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    password_encryption: 'scram-sha-256',
    ssl: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    log_lock_waits: 'on',
    ...(durable ? logFiles : unsafe),
  };
}

/** A week of files that write over themselves. */
const logFiles = {
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_truncate_on_rotation: 'on',
};

/** For tests: a crash of the machine may lose everything. */
const unsafe = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  // Tables that nobody has counted look large: a process more is begun for twenty empty ones.
  max_parallel_workers_per_gather: '0',
};

export const asArguments = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
