interface Entry {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface LockFile {
  packages: Record<string, Entry>;
}

export interface Missing {
  /** The package that wants it. */
  readonly by: string;
  readonly name: string;
  readonly version: string;
}

/** Where a package of this folder finds another: beside itself, or in a folder above. */
function placesOf(from: string, name: string): string[] {
  const parts = from === '' ? [] : from.split('/node_modules/').map((_, at, all) => all.slice(0, at + 1).join('/node_modules/'));
  return [...parts.reverse().map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`];
}

/** Optional packages of other machines that the lock file leaves out: with one of them missing, `npm ci` refuses it as a whole. */
export function missingFromLock({ packages }: LockFile): Missing[] {
  return Object.entries(packages).flatMap(([by, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !placesOf(by, name).some((place) => place in packages))
      .map(([name, version]) => ({ by, name, version })),
  );
}

const systems: Record<string, string> = {
  android: 'android',
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
  freebsd: 'freebsd',
  openharmony: 'openharmony',
  aix: 'aix',
  sunos: 'sunos',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
};
const processors = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'wasm32', 'mips64el'];

/** What machine a package is for, by its name, as all packages of this kind are called. */
function machineOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/);
  const os = words.map((word) => systems[word]).find((one) => one !== undefined);
  const cpu = words.find((word) => processors.includes(word));
  const libc = /musl/.test(name) ? 'musl' : /gnu/.test(name) && os === 'linux' ? 'glibc' : undefined;
  return { ...(os ? { os: [os] } : {}), ...(cpu ? { cpu: [cpu] } : {}), ...(libc ? { libc: [libc] } : {}) };
}

/** Beside the same package's entry for another machine, else beside the package that wants it. */
function placeFor({ packages }: LockFile, { by, name, version }: Missing): string {
  const siblings = Object.keys(packages[by]?.optionalDependencies ?? {}).flatMap((sibling) =>
    placesOf(by, sibling)
      .filter((place) => packages[place]?.version === version && place.endsWith(sibling))
      .slice(0, 1)
      .map((place) => place.slice(0, -sibling.length)),
  );
  return `${siblings[0] ?? `${by}/node_modules/`}${name}`;
}

/** The lock file with those entries, for a registry that does not carry the packages of all machines. They lack a digest. */
export function completed(lock: LockFile): LockFile {
  const packages = { ...lock.packages };
  for (const missing of missingFromLock(lock)) {
    const { dev } = packages[missing.by] ?? {};
    packages[placeFor({ packages }, missing)] = {
      version: missing.version,
      ...(dev ? { dev } : {}),
      optional: true,
      ...machineOf(missing.name),
    };
  }
  const order = (place: string) => (place.includes('node_modules/') ? place : `\0${place}`);
  return { ...lock, packages: Object.fromEntries(Object.entries(packages).sort(([a], [b]) => order(a).localeCompare(order(b), 'en'))) };
}
