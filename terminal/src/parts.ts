import type { Up } from '@mooring/contract/device/messages';
import type { Body } from './body.ts';
import type { Journal, Part } from './journal.ts';
import type { PackageOffer } from './offer.ts';

const FIRMWARE = 'firmware';
type Of = Pick<PackageOffer, 'kind' | 'package'>;
/** Kept beside the firmware under this name. */
const keyOf = ({ kind, package: { name } }: Of) => (name ? `${kind}:${name}` : kind);

type Parts = Pick<Up['hello'], 'firmware' | 'modules' | 'patch'>;

/** Everything with a version of its own, as it is after what was installed. */
export function reportedParts(journal: Journal, body: Pick<Body, 'facts'>): Parts {
  const { modules, patch } = body.facts();
  const updated = [...journal.parts].flatMap(([key, { version }]) =>
    key.startsWith('module:') ? [[key.slice('module:'.length), version]] : [],
  );
  const now = journal.parts.get('patch')?.version ?? patch;
  return {
    firmware: journal.firmware,
    ...(modules || updated.length > 0 ? { modules: { ...modules, ...Object.fromEntries(updated) } } : {}),
    ...(now === undefined ? {} : { patch: now }),
  };
}

/** What a deployment would replace; undefined where the terminal has no such part. */
export function currentPart(
  journal: Journal,
  body: Pick<Body, 'facts'>,
  offer: Of,
): { version: string; sha256?: string | undefined } | undefined {
  if (offer.kind === FIRMWARE) return { version: journal.firmware, sha256: journal.firmwareSha256 };
  const kept = journal.parts.get(keyOf(offer));
  if (kept) return kept;
  const { modules, patch } = reportedParts(journal, body);
  const version = offer.kind === 'module' ? modules?.[offer.package.name ?? ''] : offer.kind === 'patch' ? patch : undefined;
  return version === undefined ? undefined : { version };
}

/** Keeps what was installed; the caller saves the journal. */
export function keepPart(journal: Journal, offer: Of, part: Part): void {
  if (offer.kind === FIRMWARE) {
    journal.firmware = part.version;
    journal.firmwareSha256 = part.sha256;
  } else journal.parts.set(keyOf(offer), part);
}
