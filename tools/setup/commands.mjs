import { fleetCommand } from '../../terminal/src/fleet-command.mjs';

/** How a command is typed: by npm in the sources, by packaging/mooring where there is none. @param {string} name */
export const typed = (name) => (process.env.MOORING_COMMAND ? `mooring ${name}` : `npm run ${name} --`);

const services = {
  services: {
    value: 'LIST',
    each: ['http', 'worker', 'gateway', 'broker'],
    about: 'some of http, worker, gateway, broker, with commas between them; all where left out',
  },
};

/**
 * What each npm script runs, and what may stand behind it. `console: true` builds the web console first if its inputs changed; `installation: true`
 * reads the variables of an installation.
 * @type {Record<string, import('../../terminal/src/command-line.mjs').Declared & { script?: string, args?: string[], console?: true | 'always', installation?: true }>}
 */
export const commands = {
  start: {
    about: 'Sets everything up and runs the server. Settings are environment variables: docs/operate.md.',
    script: 'server/src/main.ts',
    console: true,
    installation: true,
    options: services,
  },
  demo: {
    about: 'The same with a sample estate of 2,000 devices and 50 live virtual terminals.',
    script: 'server/src/main.ts',
    args: ['--demo'],
    console: true,
    installation: true,
    options: services,
  },
  dev: {
    about: 'Server and console, each started again when its sources change.',
    script: 'tools/dev.ts',
    installation: true,
    options: services,
  },
  test: {
    about: 'Every test; with words only the tests whose file names hold one of them.',
    script: 'tools/test.ts',
    console: true,
    takes: '[word …]',
  },
  check: { about: 'Style, types, guards and small tests, in under a minute.', script: 'tools/check.ts' },
  fleet: { ...fleetCommand, script: 'terminal/src/fleet.ts' },
  list: {
    about: 'What the code declares, as JSON.',
    script: 'tools/list.ts',
    takes: 'routes|calls|machines',
    least: 1,
    most: 1,
    among: ['routes', 'calls', 'machines'],
  },
  generate: { about: 'Writes every generated file anew.', script: 'tools/generate.ts' },
  format: { about: 'Formats every file.', script: 'tools/format.ts' },
  build: { about: 'Builds the web console.', console: 'always' },
  lock: { about: 'Completes the lock file with the optional packages of every machine.', script: 'tools/lock.ts' },
  backup: {
    about: 'Writes a backup of the installation, running or not, to a new file.',
    script: 'tools/backup.ts',
    installation: true,
    takes: '<file>',
    least: 1,
    most: 1,
    options: { for: { value: 'AGE1…', about: 'public key of the age format: only its key opens the backup, and it need not be here' } },
  },
  'backup-key': {
    about: 'Makes a key for backups in a new file, and prints its public key. age-keygen makes the same.',
    script: 'tools/backup-key.ts',
    takes: '<file>',
    least: 1,
    most: 1,
  },
  restore: {
    about: 'Fills an empty installation from a backup of this version or an older one.',
    script: 'tools/restore.ts',
    installation: true,
    takes: '<file>',
    least: 1,
    most: 1,
    options: { key: { value: 'FILE', about: 'the key of a sealed backup' } },
  },
  'roll-back': {
    about: 'Lets an older version start on this data; run it with this version, stopped (docs/operate.md).',
    script: 'tools/roll-back.ts',
    installation: true,
    takes: '<folder of the older version>',
    least: 1,
    most: 1,
  },
  'rotate-keys': {
    about: 'Replaces the issuing key of the device authority, the release key or the master key, also while the server runs.',
    script: 'tools/rotate-keys.ts',
    installation: true,
    takes: 'issuer|release|master …',
    least: 1,
    among: ['issuer', 'release', 'master'],
  },
  unlock: {
    about: 'Lets somebody in again who can’t sign in: ends waiting after failed attempts, enables the account. Also while the server runs.',
    script: 'tools/unlock.ts',
    installation: true,
    options: {
      account: { value: 'NAME', default: 'admin', about: 'the account, or its email address' },
      'new-password': { about: 'prints a new one-time password and ends all sessions' },
      'remove-second-factors': { about: 'removes app, passkeys and recovery codes and ends all sessions' },
      'no-dual-control': { about: 'switches dual control off, where nobody is left who could approve' },
    },
  },
  'audit-log': {
    about:
      'Verifies the audit log (ends with 1 where it isn’t intact), writes its daily signatures, or adopts what was there before the first one. Also while the server runs.',
    script: 'tools/audit-log.ts',
    installation: true,
    takes: 'verify|signatures|adopt',
    least: 1,
    most: 1,
    among: ['verify', 'signatures', 'adopt'],
    options: { file: { value: 'FILE', about: 'signatures: where to write them; verify: those that were written before' } },
  },
  'broker-files': {
    about:
      "Writes what an outside Mosquitto needs: configuration, access list, certificates, revocation list, and this server's own certificate.",
    script: 'tools/broker-files.ts',
    installation: true,
    options: {
      folder: { value: 'DIR', default: './broker', about: 'where to write' },
      host: { value: 'HOST', default: '0.0.0.0', about: 'where terminals connect; also a name in the certificate of the broker' },
      port: { value: 'N', is: 'count', default: '8883', about: 'port for terminals' },
      'server-host': { value: 'HOST', default: '127.0.0.1', about: 'where this server connects' },
      'server-port': { value: 'N', is: 'count', default: '8884', about: 'port for this server' },
      group: { value: 'NAME', about: 'group of the broker, which may read its files; Debian: mosquitto' },
    },
  },
  token: {
    about: 'Makes a token for another system, which acts as a person and holds no more than that person. Prints it once.',
    script: 'tools/token.ts',
    installation: true,
    options: {
      for: { value: 'ACCOUNT', needed: true, about: 'whose rights it has at most' },
      scopes: {
        value: 'LIST',
        needed: true,
        about: 'permissions with commas between them, such as firmware:task:add; docs/access.md lists them',
      },
      name: { value: 'NAME', default: 'made on the server', about: 'how it is shown in the console' },
      days: { value: 'N', is: 'count', default: '90', about: 'how many days it holds, at most 365' },
      'per-minute': { value: 'N', is: 'count', default: '600', about: 'requests a minute' },
    },
  },
  release: { about: 'Makes the tarball of a release in release/.', script: 'tools/release.ts', console: true },
  sbom: { about: 'Writes the list of parts with their licences to release/.', script: 'tools/sbom.ts' },
  bench: { about: 'Figures beside an anchor in the same run; some rows or all.', script: 'bench/main.ts', console: true, takes: '[row …]' },
  faults: {
    script: 'faults/main.ts',
    console: true,
    about: 'A campaign that breaks things in the middle of living releases, and counts afterwards.',
    options: {
      rounds: { value: 'N', is: 'count', default: '100', about: 'how many, half of them in each world' },
      seed: { value: 'S', about: 'the same seed strikes the same way' },
      world: { value: 'W', is: ['alone', 'two'], about: 'alone (one server, all inside) or two (two servers, Mosquitto, object store)' },
      terminals: { value: 'N', is: 'count', default: '500', about: 'how many' },
      outage: { value: 'S', is: 'count', default: '60', about: 'seconds of an outage' },
      from: { value: 'N', is: 'count', default: '1', about: 'begins with this round, to repeat a failure' },
      only: { value: 'KIND', about: 'kinds of faults with this in their names' },
      verbose: { about: 'each step of a round' },
    },
  },
};
