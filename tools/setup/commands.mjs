/**
 * What each npm script runs. `console: true` builds the web console first if its inputs changed.
 * @type {Record<string, { script?: string, args?: string[], console?: true | 'always' }>}
 */
export const commands = {
  start: { script: 'server/src/main.ts', console: true },
  demo: { script: 'server/src/main.ts', args: ['--demo'], console: true },
  dev: { script: 'tools/dev.ts' },
  test: { script: 'tools/test.ts', console: true },
  check: { script: 'tools/check.ts' },
  fleet: { script: 'terminal/src/fleet.ts' },
  list: { script: 'tools/list.ts' },
  generate: { script: 'tools/generate.ts' },
  format: { script: 'tools/format.ts' },
  build: { console: 'always' },
  lock: { script: 'tools/lock.ts' },
  backup: { script: 'tools/backup.ts' },
  restore: { script: 'tools/restore.ts' },
  'roll-back': { script: 'tools/roll-back.ts' },
  'rotate-keys': { script: 'tools/rotate-keys.ts' },
  release: { script: 'tools/release.ts', console: true },
  sbom: { script: 'tools/sbom.ts' },
  bench: { script: 'bench/main.ts', console: true },
  faults: { script: 'faults/main.ts', console: true },
};
