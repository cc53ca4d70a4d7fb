import { z } from 'zod';
import { fileKinds } from '../file/kinds.ts';
import { hasMark, Moment, markOf, Seal } from './schema.ts';

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
  const mark = markOf(schema);
  if (mark?.sealed)
    instead(jsonSchema, { $ref: `${place}Sealed`, description: `Sealed for the purpose "${mark.sealed}": docs/api.md says how.` });
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
  const convert = (schema: z.ZodType, io: Io) => {
    const made: Json = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: (at) => describe(at.zodSchema as unknown as z.ZodType, at.jsonSchema as Json),
    });
    const { $schema: _same, $defs, ...rest } = made;
    return { rest, defs: ($defs ?? {}) as Record<string, Json> };
  };
  const nameOf = (def: Json, wanted?: string) => {
    const text = JSON.stringify(def);
    const name = names.get(text) ?? wanted ?? `Shared${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  const json = (schema: z.ZodType, io: Io): Json => {
    const { rest, defs } = convert(schema, io);
    if (hasMark(schema, 'sealed')) shared.Sealed ??= convert(Seal, 'output').rest;
    const hasItself = JSON.stringify(rest).includes('"$ref":"#"');
    const places = new Map(Object.entries(defs).map(([local, def]) => [`#/$defs/${local}`, nameOf(def)]));
    if (hasItself) places.set('#', nameOf(rest));
    const placed = (of: Json): Json =>
      JSON.parse(JSON.stringify(of), (key, value: unknown) =>
        key === '$ref' && typeof value === 'string' && places.has(value) ? `${place}${places.get(value)}` : value,
      ) as Json;
    for (const [local, def] of Object.entries(defs)) shared[places.get(`#/$defs/${local}`) ?? local] = placed(def);
    if (!hasItself) return placed(rest);
    const name = places.get('#') ?? '';
    shared[name] = placed(rest);
    return { $ref: `${place}${name}` };
  };
  for (const def of Object.values(convert(z.json(), 'output').defs)) nameOf(def, 'Json');
  return { json, shared };
}
