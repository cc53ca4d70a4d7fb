import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id, Moment, ref } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';
import { LangCode } from './calls.ts';
import { languageMachine } from './state-machines.ts';

export const Language = z.object({
  id: Id,
  langCode: z.string(),
  /** Its own name for itself, and the English one. */
  nativeName: z.string(),
  englishName: z.string(),
  rightToLeft: z.boolean(),
  publishStatus: stateOf(languageMachine),
  texts: z.int(),
  total: z.int(),
  /** Share of the texts that it has, 0 to 1. */
  coverage: z.number(),
  edited: z.int(),
  updatedAt: Moment.nullable(),
  ...allowedActions,
});
const can = 'language:label:update';

const languageFilters = { text: filter.text(), publishStatus: filter.exact(stateOf(languageMachine)) };
export const languageAdminCalls = calls('language', '/sys/language', {
  page: call({
    can: 'language:label:page',
    reads: true,
    input: pageQuery(languageFilters, ['-coverage', 'langCode', 'englishName']),
    output: pageOf(Language),
  }),
  export: exporting('language:label:page', criteriaOf(languageFilters)),
  publish: transition(languageMachine, 'publish', can, Language, { faults: ['LANGUAGE_EMPTY'] }),
  unpublish: transition(languageMachine, 'unpublish', can, Language, { faults: ['LANGUAGE_NEEDED'] }),
});

export const labelStates = ['missing', 'builtIn', 'edited'] as const;
/** One text in one language. `english` is what it has to say, `args` the values it may use. */
export const Label = z.object({
  id: z.string(),
  key: z.string(),
  dataType: z.string(),
  english: z.string(),
  text: z.string().nullable(),
  state: z.enum(labelStates),
  args: z.array(z.string()),
  ...allowedActions,
});
export const TEXT_MAX = 4000;
const LabelKey = z
  .string()
  .regex(/^[A-Za-z][\w.-]{0,127}$/, 'invalid.textKey')
  .refine((key) => !['__proto__', 'constructor', 'prototype'].includes(key), 'invalid.textKey');
const PackFormat = z.enum(['xlsx', 'json']);

/** Texts of a language: edited one by one, or as a pack (XLSX or JSON). */
export const labelCalls = calls('language', '/sys/label', {
  page: call({
    can: 'language:label:page',
    reads: true,
    input: pageQuery(
      { langCode: LangCode, text: filter.text(), dataType: filter.exact(z.string().max(32)), state: filter.exact(z.enum(labelStates)) },
      ['key', 'dataType'],
    ),
    output: pageOf(Label),
  }),
  /** `seen` is the text that the form was filled from, null where there was none: over another one the save is refused (OVERTAKEN). */
  edit: call({
    can,
    input: z.strictObject({
      langCode: LangCode,
      key: LabelKey,
      text: z.string().trim().min(1).max(TEXT_MAX),
      seen: z.string().max(TEXT_MAX).nullish(),
    }),
    faults: ['LANGUAGE_UNKNOWN', 'LABEL_UNKNOWN', 'LABEL_BROKEN', 'LABEL_ARGUMENT'],
  }),
  /** Back to what the product brings; nothing where it brings none. */
  reset: call({
    can,
    input: z.strictObject({ langCode: LangCode, key: LabelKey, seen: z.string().max(TEXT_MAX).nullish() }),
    faults: ['LANGUAGE_UNKNOWN', 'LABEL_UNKNOWN'],
  }),
  export: call({
    can: 'language:label:page',
    reads: true,
    wire: 'binary',
    input: z.strictObject({ langCode: LangCode, format: PackFormat, missingOnly: z.boolean().default(false) }),
    faults: ['LANGUAGE_UNKNOWN'],
  }),
  /** `file` is an uploaded attachment (file kind 8). A preview changes nothing. */
  import: call({
    can,
    tx: 'own',
    input: z.strictObject({ langCode: LangCode, file: ref('file'), preview: z.boolean().default(false) }),
    output: z.object({
      taken: z.int(),
      same: z.int(),
      unknown: z.array(z.string()),
      wrong: z.array(z.object({ key: z.string(), fault: z.string() })),
    }),
    faults: ['LANGUAGE_UNKNOWN', 'PACK_BROKEN', 'SHEET_BROKEN', 'SHEET_TOO_LARGE'],
  }),
  dataTypes: call({ can: 'language:label:page', reads: true, output: z.array(z.string()) }),
});
