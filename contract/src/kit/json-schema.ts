import { z } from 'zod';
import { fileKinds } from '../file/kinds.ts';
import { documented, hasMetadata, Moment, metadataOf, Seal } from './schema.ts';

type Json = Record<string, unknown>;
type Io = 'input' | 'output';

const place = '#/components/schemas/';
const instead = (jsonSchema: Json, by: Json) => {
  for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
  Object.assign(jsonSchema, by);
};
const codes = fileKinds.map((kind) => kind.code).join();

/** What our own kinds of fields are on the wire. */
function describe(schema: z.ZodType, jsonSchema: Json): void {
  const { description } = z.globalRegistry.get(schema) ?? {};
  if (description) jsonSchema.description = description;
  const mark = metadataOf(schema);
  if (mark?.sealed)
    instead(jsonSchema, { $ref: `${place}Sealed`, description: `Sealed for the purpose "${mark.sealed}": docs/api.md says how.` });
  else if (mark?.vaultSealed) jsonSchema.description = `Sealed for the vault, purpose "${mark.vaultSealed}": docs/api.md says how.`;
  else if (mark?.ref) jsonSchema.description = `Id of a ${mark.ref}`;
  else if (schema === Moment) instead(jsonSchema, { type: 'string', format: 'date-time', description: 'ISO 8601 in UTC' });
  else if (Array.isArray(jsonSchema.enum) && jsonSchema.enum.join() === codes)
    Object.assign(jsonSchema, {
      'x-enum-varnames': fileKinds.map((kind) => kind.name),
      description: fileKinds.map((kind) => `${kind.code} ${kind.name}`).join(', '),
    });
}

export interface Schemas {
  json(schema: z.ZodType, io: Io): Json;
  /** What more than one schema, or a schema within itself, names. */
  readonly shared: Readonly<Record<string, Json>>;
}

/** The JSON Schemas of one document. What a schema names within itself becomes a part of the document: a reference begins at its root. */
export function schemasOf(): Schemas {
  const shared: Record<string, Json> = {};
  const names = new Map<string, string>();
  /** A schema, and what it names within itself by the place where it has it. */
  const partsOf = (schema: z.ZodType, io: Io) => {
    const made: Json = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      metadata: documented,
      override: (at) => describe(at.zodSchema as unknown as z.ZodType, at.jsonSchema as Json),
    });
    const { $schema: _same, $defs, ...rest } = made;
    const parts = Object.entries(($defs ?? {}) as Record<string, Json>).map(([local, def]) => ({ at: `#/$defs/${local}`, def }));
    return { rest, parts: JSON.stringify(rest).includes('"$ref":"#"') ? [...parts, { at: '#', def: rest as Json }] : parts };
  };
  /** The same part of two calls is one part of the document, whatever either calls it. */
  const textOf = (def: Json, at: string) => JSON.stringify(def).replaceAll(JSON.stringify(at), '"itself"');
  // A generator that meets a type made of itself and nothing else ends in a circle.
  const anyJson = partsOf(z.json(), 'output').parts.map(({ at, def }) => textOf(def, at))[0];
  /** A schema that was given a name has it here too; what is asked and what is answered may differ by its defaults. */
  const ownName = (at: string, io: Io) => {
    const [, name] = /\/\$defs\/([A-Z]\w*)$/.exec(at) ?? [];
    return name && (io === 'input' ? `${name}Input` : name);
  };
  const nameOf = (def: Json, at: string, io: Io) => {
    const text = textOf(def, at);
    const name = names.get(text) ?? ownName(at, io) ?? `Shared${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  const json = (schema: z.ZodType, io: Io): Json => {
    const { rest, parts } = partsOf(schema, io);
    if (hasMetadata(schema, 'sealed')) shared.Sealed ??= partsOf(Seal, 'output').rest;
    const isAny = new Set(parts.filter(({ at, def }) => textOf(def, at) === anyJson).map(({ at }) => at));
    const places = new Map(parts.filter(({ at }) => !isAny.has(at)).map(({ at, def }) => [at, nameOf(def, at, io)]));
    const placed = (of: Json): Json =>
      JSON.parse(JSON.stringify(of), (_key, value: unknown) => {
        const at = value !== null && typeof value === 'object' && '$ref' in value ? value.$ref : undefined;
        if (typeof at !== 'string') return value;
        if (isAny.has(at)) return { description: 'Any JSON' };
        return places.has(at) ? { ...(value as Json), $ref: `${place}${places.get(at)}` } : value;
      }) as Json;
    for (const { at, def } of parts) {
      const name = places.get(at);
      if (name) shared[name] = placed(def);
    }
    return places.has('#') ? { $ref: `${place}${places.get('#')}` } : placed(rest);
  };
  return { json, shared };
}
