import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { npm } from './install.mjs';

interface Part {
  readonly 'bom-ref': string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}
interface Sbom {
  readonly components: readonly Part[];
  readonly dependencies: readonly { readonly ref: string }[];
}

const isForDevelopment = (part: Part) => part.properties?.some((one) => one.name === 'cdx:npm:package:development' && one.value === 'true');

/** What the product consists of, each part with version and licence, as CycloneDX; what only builds and tests it isn't in it. */
export async function writeSbom(file: string): Promise<Sbom> {
  const out = openSync(file, 'w');
  // `--omit dev` would leave out what a workspace also names for its tests.
  const code = await npm(['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'], undefined, out);
  closeSync(out);
  if (code !== 0) throw new Error(`npm could not list what the product consists of (exit code ${code}).`);
  const whole = JSON.parse(readFileSync(file, 'utf8')) as Sbom;
  const components = whole.components.filter((part) => !isForDevelopment(part));
  const refs = new Set(components.map((part) => part['bom-ref']));
  const sbom = { ...whole, components, dependencies: whole.dependencies.filter((one) => refs.has(one.ref)) };
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  return sbom;
}
