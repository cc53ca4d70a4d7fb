import { z } from 'zod';

/** What a schema means beyond its shape; read by the server (refs, seals) and by forms (options). */
interface Metadata {
  readonly ref?: string;
  readonly sealed?: string;
  readonly vaultSealed?: string;
  readonly secret?: true;
  readonly address?: true;
  readonly revises?: string;
  readonly filter?: 'text' | 'exact' | 'range' | 'days';
}

export const metadata = z.registry<Metadata>();
/** Schemas that many calls share: the generated documents say each once, by this name. */
export const documented = z.registry<{ id: string }>();

/** Row id. Identity columns stay far below 2^53, so a number carries them. */
export const Id = z.int().positive().max(Number.MAX_SAFE_INTEGER);

/** Input of a call about one row. Declared once: each schema of its own would stay in memory. */
export const ById = z.strictObject({ id: Id });

/** The id of another row: resolved under the actor's policy before the handler runs, so a foreign one answers "not found". */
export const ref = (entity: string) => z.int().positive().max(Number.MAX_SAFE_INTEGER).register(metadata, { ref: entity });

/** Which revision of a row is meant; it counts the changes of what people edit. */
const Revision = z.int().positive();
/** Of a row that is edited. */
export const revision = { revision: Revision };
/**
 * Of a call that edits the row `id` of an entity: the revision that its form was filled from. The kit refuses the call with OVERTAKEN
 * where the row is another by then; whoever leaves it out overwrites.
 */
export const revises = (entity: string) => ({ revision: Revision.optional().register(metadata, { revises: entity }) });

/** Bytes that a seal takes (RSAES-OAEP with SHA-256 and 2048 bits, RFC 8017, section 7.1.1). */
export const MOST_SEALED = 190;

/**
 * A secret that the browser seals before it sends it (design 5, "Secret fields"): on the wire
 * `{ keyId, nonce, data }`, in the handler the opened string. `purpose` is bound into the seal.
 */
export const sealed = (purpose: string, limits: { min?: number; max?: number } = {}) =>
  z
    .string()
    .min(limits.min ?? 1)
    .max(limits.max ?? MOST_SEALED)
    .register(metadata, { sealed: purpose });

const POINT = 65;
const TAG = 16;
/**
 * A secret that the browser seals for the vault of signing keys: on the wire base64, and so in the handler, which hands it on unopened. `purpose` is
 * bound into the seal; `most` is the longest secret, in bytes. How: docs/api.md, "Sealed for the vault".
 */
export const vaultSealed = (purpose: string, most: number) =>
  z
    .string()
    .min(1)
    .max(4 * Math.ceil((POINT + most + TAG) / 3))
    .register(metadata, { vaultSealed: purpose, secret: true });

/** A code, ticket or answer that opens something, sent as it is: the log masks it. Last in a chain, since each further step makes another schema. */
export function secret<T extends z.ZodType>(schema: T): T {
  metadata.add(schema, { secret: true });
  return schema;
}

/** An address whose path or query may open something: the log keeps where it leads alone. */
export function address<T extends z.ZodType>(schema: T): T {
  metadata.add(schema, { address: true });
  return schema;
}
/** Of an address scheme and host alone. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** A sealed field on the wire. */
export const Seal = z.strictObject({ keyId: z.string().max(64), nonce: z.string().max(64), data: z.string().max(1024) });
export type Seal = z.infer<typeof Seal>;

/** A moment on the wire: ISO 8601 in UTC. Handlers may return Date. */
/** A day of the calendar, in whatever time zone it is read. */
export const Day = z.iso.date();
export const Moment = z.union([z.iso.datetime(), z.date().transform((date) => date.toISOString())]);

export const Name = z.string().trim().min(1).max(64);
export const Remark = z.string().trim().max(500);

type Walk = (schema: z.ZodType, path: readonly (string | number)[], value: unknown) => void;

interface Inner {
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: z.ZodType[];
  in?: z.ZodType;
  left?: z.ZodType;
  right?: z.ZodType;
}

/** Visits each schema that a value meets, depth first. Unions are visited with every option. */
export function walk(schema: z.ZodType, value: unknown, visit: Walk, path: readonly (string | number)[] = []): void {
  visit(schema, path, value);
  const def = (schema as unknown as { def: Inner }).def;
  if (def.shape) {
    for (const [key, child] of Object.entries(def.shape)) {
      walk(child, (value as Record<string, unknown> | undefined | null)?.[key], visit, [...path, key]);
    }
  } else if (def.element) {
    const items = Array.isArray(value) ? value : [undefined];
    for (const [at, item] of items.entries()) walk(def.element, item, visit, [...path, at]);
  } else {
    for (const child of [def.innerType, def.in, def.left, def.right, ...(def.options ?? [])]) {
      if (child) walk(child, value, visit, path);
    }
  }
}

/** The marks of a schema or of what it wraps (optional, nullable, default). */
export function metadataOf(schema: z.ZodType): Metadata | undefined {
  const own = metadata.get(schema);
  if (own) return own;
  const inner = (schema as unknown as { def: Inner }).def.innerType;
  return inner ? metadataOf(inner) : undefined;
}

const kinds = new WeakMap<z.ZodType, ReadonlySet<string>>();

/** Whether anything in a schema has such a mark. Few have: each call asks before it looks for them in its input. */
export function hasMetadata(schema: z.ZodType, kind: keyof Metadata): boolean {
  const known = kinds.get(schema);
  if (known) return known.has(kind);
  const found = new Set<string>();
  walk(schema, undefined, (at) => {
    for (const one of Object.keys(metadataOf(at) ?? {})) found.add(one);
  });
  kinds.set(schema, found);
  return found.has(kind);
}
