import { z } from 'zod';
import { settingAction } from '../engines/rollout/settings.ts';
import { settingTaskCalls, taskDeviceCallsOf } from '../engines/rollout/task-calls.ts';
import { Id, MOST_SEALED, ref, sealed } from '../kit/schema.ts';
import { androidParamKind } from './android-kind.ts';
import { ParamKey, ParamValue, TemplateFields, templateLimits, wrongValues } from './template-fields.ts';

const { fields: MOST } = templateLimits;

/** Whose values are sent: those of the release to all of its terminals, or to each terminal its own result of what is given above it. */
const paramModes = ['task', 'own'] as const;

/**
 * What is given for a template's fields. Secrets come sealed and are kept beside the release: `kept` names where, `secretKeys` whose. The server
 * notes name and revision of the template as they are then, and holds all of it against the template itself.
 */
export const AndroidParamsKept = z.strictObject({
  templateId: ref('paramTemplate'),
  templateName: z.string().max(64).default(''),
  templateRevision: z.int().positive().nullable().default(null),
  ...settingAction,
  mode: z.enum(paramModes).default('task'),
  values: z
    .record(ParamKey, ParamValue)
    .refine((values) => Object.keys(values).length <= MOST, { message: 'invalid.too_big' })
    .default({}),
  secrets: z
    .array(z.strictObject({ key: ParamKey, value: sealed('androidParam', { max: MOST_SEALED }) }))
    .max(MOST)
    .default([]),
  kept: Id.nullable().default(null),
  secretKeys: z.array(ParamKey).max(MOST).default([]),
  /** The template's, as a form keeps them. A release goes by those that the server has. */
  fields: z.array(z.record(z.string(), z.unknown())).max(MOST).default([]),
});

/**
 * As it comes in: a form's values are held against the fields that it keeps while they are typed. Those have a template's budget of steps, and it is
 * looked at before any of them reads anything.
 */
export const AndroidParams = AndroidParamsKept.refine(
  ({ action, mode, fields, ...given }) => {
    if (action === 'reset' || mode === 'own' || fields.length === 0) return true;
    const known = TemplateFields.safeParse(fields);
    return known.success && wrongValues(known.data, given).size === 0;
  },
  { path: ['values'], message: 'invalid.params' },
);

/** The fault of each thing that may be wrong with a value. */
export const paramFaults = {
  required: 'PARAM_REQUIRED',
  unknown: 'PARAM_UNKNOWN',
  text: 'PARAM_NO_TEXT',
  number: 'PARAM_NO_NUMBER',
  boolean: 'PARAM_NO_SWITCH',
  choice: 'PARAM_NO_CHOICE',
  min: 'PARAM_TOO_SMALL',
  max: 'PARAM_TOO_LARGE',
  maxLength: 'PARAM_TOO_LONG',
  pattern: 'PARAM_FORMAT',
} as const;

export const androidTaskCalls = settingTaskCalls(androidParamKind, AndroidParams, [
  ...Object.values(paramFaults),
  'PARAM_PRODUCT',
  'PARAM_TEMPLATE_OLD',
  'PARAM_SECRET_GONE',
  'PARAM_MANY',
]);
export const androidTaskDeviceCalls = taskDeviceCallsOf(androidParamKind);
