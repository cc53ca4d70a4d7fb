import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { joined, read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, MOST_SEALED, Moment, ref, sealed } from '../kit/schema.ts';
import { paramFaults } from './android-calls.ts';
import { fieldChanges } from './field-changes.ts';
import { paramLevels } from './resolve.ts';
import { ParamKey, ParamValue, TemplateFields, templateLimits } from './template-fields.ts';

const { fields: MOST } = templateLimits;
/** Who reads templates reads what is given for them; who changes templates gives values where they see the place. */
const seeing = 'paramFile:template:page||tms:androidParam:page';
const giving = 'paramFile:template:update';

const Level = z.enum(paramLevels);
/** Values that stand at one place: an organisation, a merchant, a shop or a terminal. */
export const ParamLevel = entity(
  'paramLevel',
  {
    place: joined(z.string()),
    level: read(Level, { filter: true }),
    templateId: read(Id, { filter: true }),
    placeId: read(Id),
    given: read(z.int()),
    lockedCount: read(z.int()),
    deptName: joined(z.string()),
    updatedBy: read(z.string()),
    updatedAt: read(Moment, { sort: true }),
  },
  { rowClass: 'inherited', order: '-updatedAt', search: { text: ['place'] } },
);

/** Exactly one of them. */
const places = {
  deptId: ref('dept').optional(),
  merchantId: ref('merchant').optional(),
  shopId: ref('shop').optional(),
  deviceId: ref('device').optional(),
};
interface Named {
  readonly deptId?: number | undefined;
  readonly merchantId?: number | undefined;
  readonly shopId?: number | undefined;
  readonly deviceId?: number | undefined;
}
const isOne = ({ deptId, merchantId, shopId, deviceId }: Named) =>
  [deptId, merchantId, shopId, deviceId].filter((id) => id !== undefined).length === 1;
const ofOne = { path: ['deptId'], message: 'invalid.paramPlace' };

const Place = z.object({ level: Level, id: Id, name: z.string() });
const Source = z.union([Place, z.literal('default'), z.literal('none')]);
/** Of a secret never more than that it is set. */
const Value = ParamValue.nullable();
const Inherited = z.object({ key: z.string(), value: Value, isSet: z.boolean(), from: Source, lockedBy: Place.nullable() });
const Field = TemplateFields.element;

const LevelValues = z.object({
  place: Place,
  templateName: z.string(),
  /** 0 where nothing was given yet. */
  revision: z.int().min(0),
  fields: z.array(Field),
  /** As it stands here, whether it counts or not. */
  values: z.record(z.string(), ParamValue),
  secretKeys: z.array(z.string()),
  locked: z.array(z.string()),
  /** Stands here and doesn't fit its field any more, or its field is gone. */
  unfit: z.array(z.string()),
  inherited: z.array(Inherited),
  maySave: z.boolean(),
});

/** How what the terminal says it has stands to what it would get today; of a secret among other differences that can't be told. */
const paramDrifts = ['same', 'differs', 'unknown', 'hidden'] as const;
const Result = Inherited.extend({
  label: z.string(),
  type: Field.shape.type,
  required: z.boolean(),
  reported: Value,
  drift: z.enum(paramDrifts),
});
const TerminalResult = z.object({
  templateId: Id,
  templateName: z.string(),
  deviceId: Id,
  sn: z.string(),
  fields: z.array(Result),
  /** Required, and nobody gives a value: nothing can be sent. */
  missing: z.array(z.string()),
  /** More than one message holds: nothing can be sent either. */
  isTooLong: z.boolean(),
  /** Whether the terminal says that it has parameters of the template, and whether they are these. */
  drift: z.enum(paramDrifts),
  /** Where the reader may give values. */
  places: z.array(Place),
});

/** As many as a release takes by their serial numbers. */
const MOST_BEHIND = 20_000;
const Part = z.object({ part: z.string(), before: z.json(), after: z.json() });
const FieldChange = z.object({ key: z.string(), label: z.string(), change: z.enum(fieldChanges), parts: z.array(Part) });

export const paramLevelCalls = calls('paramfile', '/paramfile/template/level', {
  /** Deleting is what clears a place. */
  ...crud(ParamLevel, { see: seeing, delete: giving }),
  read: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ templateId: ref('paramTemplate'), ...places }).refine(isOne, ofOne),
    output: LevelValues,
    faults: ['PARAM_TEMPLATE_OLD'],
  }),
  /** Templates with how much of each is given at a place: those first that are given anything there, then by name. At most 50 that match. */
  ofPlace: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ text: z.string().trim().max(64).default(''), ...places }).refine(isOne, ofOne),
    output: z.array(z.object({ id: Id, name: z.string(), given: z.int(), lockedCount: z.int() })),
  }),
  /** All that stands at the place from now on. A secret that was given stays where its key is named and no other one comes. */
  give: call({
    can: giving,
    input: z
      .strictObject({
        templateId: ref('paramTemplate'),
        ...places,
        values: z
          .record(ParamKey, ParamValue)
          .refine((values) => Object.keys(values).length <= MOST, { message: 'invalid.too_big' })
          .default({}),
        secrets: z
          .array(z.strictObject({ key: ParamKey, value: sealed('androidParam', { max: MOST_SEALED }) }))
          .max(MOST)
          .default([]),
        secretKeys: z.array(ParamKey).max(MOST).default([]),
        locked: z.array(ParamKey).max(MOST).default([]),
        /** What the form was filled from, 0 where nothing stood there. Whoever leaves it out overwrites. */
        revision: z.int().min(0).optional(),
      })
      .refine(isOne, ofOne),
    output: LevelValues,
    faults: [...Object.values(paramFaults), 'PARAM_TEMPLATE_OLD', 'PARAM_MANY', 'PARAM_LOCKED'],
  }),
});

export const paramResultCalls = calls('paramfile', '/paramfile/template', {
  /** What a terminal would get today, where each value comes from, and what it has. */
  preview: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ templateId: ref('paramTemplate'), deviceId: ref('device') }),
    output: TerminalResult,
    faults: ['PARAM_TEMPLATE_OLD'],
  }),
  /** Terminals that were sent their own result and have another one than they would get today: at most as many as are asked for. */
  behind: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ templateId: ref('paramTemplate'), most: z.int().min(1).max(MOST_BEHIND).default(100) }),
    output: z.object({
      count: z.int(),
      capped: z.boolean(),
      /** Values changed, and not all terminals below them were looked at yet. */
      counting: z.boolean(),
      terminals: z.array(z.object({ id: Id, sn: z.string(), name: z.string(), deptName: z.string() })),
    }),
  }),
  /** Each save of its fields, the newest first: at most 100. */
  versions: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ templateId: ref('paramTemplate') }),
    output: z.array(z.object({ no: z.int(), fieldCount: z.int(), createdBy: z.string(), createdAt: Moment })),
  }),
  /** What the fields of one version are that those of another aren't. */
  difference: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ templateId: ref('paramTemplate'), from: z.int().positive(), to: z.int().positive() }),
    output: z.array(FieldChange),
  }),
  /** The templates that fit its product, by name: at most 100. */
  ofDevice: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ deviceId: ref('device') }),
    output: z.array(z.object({ id: Id, name: z.string() })),
  }),
});
