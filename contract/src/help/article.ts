import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { exporting } from '../kit/export.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { criteriaOf, pageOf, pageQuery } from '../kit/page.ts';
import { crud, moves } from '../kit/resource-calls.ts';
import { ById, Id, Moment, ref, revises } from '../kit/schema.ts';
import { transitionOf } from '../kit/state-machine.ts';
import { LangCode } from '../language/calls.ts';
import { MOST_TEXT } from '../shared/markdown.ts';
import { helpMachine } from './state-machines.ts';

export const MOST_HELP_FILES = 10;
/** Part of an address: `/help/firmware-releases`. */
export const HelpKey = z
  .string()
  .trim()
  .min(2)
  .max(60)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'invalid.help.key');
const Title = z.string().trim().max(120);
const Body = z.string().trim().max(MOST_TEXT);
const Route = z
  .string()
  .trim()
  .max(120)
  .regex(/^\/[\w/:?-]+$/, 'invalid.help.route');

/** Of an article or a category, in a language beside English and Chinese, which have fields of their own. */
const OtherLang = LangCode.refine((code) => !['en', 'zh', 'zh-CN'].includes(code), 'invalid.help.lang');
const MOST_LANGS = 30;
const eachOnce = (rows: readonly { readonly lang: string }[]) => new Set(rows.map(({ lang }) => lang)).size === rows.length;
export const HelpNames = z
  .array(z.strictObject({ lang: OtherLang, name: z.string().trim().min(1).max(80) }))
  .max(MOST_LANGS)
  .refine(eachOnce, 'invalid.help.twice');
export const HelpTranslation = z.strictObject({ lang: OtherLang, title: Title, body: Body });
const Translations = z
  .array(HelpTranslation)
  .max(MOST_LANGS)
  .refine(eachOnce, 'invalid.help.twice')
  .refine((rows) => rows.every(({ title, body }) => title !== '' && body !== ''), 'invalid.help.translation');

export const HelpFile = z.object({ id: Id, name: z.string(), size: z.number() });

/** An article as its editors have it: the text under way, in English, Chinese and what else it was translated into. */
export const HelpArticle = entity(
  'helpArticle',
  {
    title: field(Title.min(1), { sort: true }),
    titleZh: field(Title.default('')),
    key: field(HelpKey, { fixed: true, unique: 'HELP_KEY_TAKEN', sort: true, code: true, help: true }),
    categoryId: field(ref('helpCategory'), { filter: true }),
    position: field(z.int().min(0).max(9999).default(100), { sort: true, help: true }),
    routes: field(z.array(Route).max(20).default([]), { help: true }),
    body: field(Body.min(1), { help: true }),
    bodyZh: field(Body.default('')),
    translations: field(Translations.default([])),
    /** The languages of translations that are of an earlier English text. */
    outdatedIn: joined(z.array(z.string())),
    files: field(z.array(Id).max(MOST_HELP_FILES).default([]), { help: true }),
    /** Read before sign-in too, from when it is published so. */
    open: field(z.boolean().default(false), { filter: true, help: true }),
    state: state(helpMachine, { filter: true }),
    categoryName: joined(z.string(), { text: 'helpArticle.categoryId' }),
    attachments: joined(z.array(HelpFile), { text: 'helpArticle.files' }),
    /** The newest one that was published; none is 0. */
    version: read(z.int()),
    helpful: read(z.int(), { sort: true }),
    unhelpful: read(z.int(), { sort: true }),
    /** Of the product's own manual, which an upgrade brings anew. */
    manual: read(z.boolean(), { filter: true }),
    newer: joined(z.boolean()),
    updatedBy: read(z.string()),
    updatedAt: read(Moment, { sort: true }),
  },
  { rowClass: 'shared', order: 'position', search: { text: ['title', 'titleZh', 'key', 'body', 'bodyZh'] }, title: 'helpArticle.many' },
);

const can = <A extends string>(act: A) => `help:article:${act}` as const;
const see = can('page');

const versionFilters = { articleId: Id };
const feedbackFilters = { articleId: Id };
/** What an article says, but for translations. */
const Text = z.object({ title: z.string(), titleZh: z.string(), body: z.string(), bodyZh: z.string() });
const Version = z.object({
  id: Id,
  number: z.int(),
  title: z.string(),
  titleZh: z.string(),
  body: z.string(),
  bodyZh: z.string(),
  translations: z.array(HelpTranslation),
  routes: z.array(z.string()),
  /** Nobody: it came with the product. */
  publishedBy: z.string(),
  publishedAt: Moment,
});

export const helpArticleCalls = calls('help', '/helpArticle', {
  ...crud(
    HelpArticle,
    { see, add: can('add'), update: can('update'), delete: can('delete') },
    { faults: { add: ['FILE_KIND_REFUSED'], update: ['FILE_KIND_REFUSED'], delete: ['HELP_OF_MANUAL', 'HELP_PUBLISHED'] } },
  ),
  ...moves(HelpArticle, { withdraw: can('publish') }),
  publish: transitionOf(helpMachine, 'publish', 'helpArticle', can('publish'), HelpArticle.row),
  /** What was published, the newest first. */
  versions: call({ can: see, reads: true, input: pageQuery(versionFilters, ['-number']), output: pageOf(Version) }),
  exportVersions: exporting(see, criteriaOf(versionFilters)),
  /** What readers who weren't helped say is missing, without their names. */
  feedback: call({
    can: can('update'),
    reads: true,
    input: pageQuery(feedbackFilters, ['-at']),
    output: pageOf(z.object({ id: Id, reason: z.string(), version: z.int(), at: Moment })),
  }),
  exportFeedback: exporting(can('update'), criteriaOf(feedbackFilters)),
  /** A draft with the texts of an earlier version. */
  restore: call({
    can: can('update'),
    input: z.strictObject({ id: Id, ...revises('helpArticle'), number: z.int().min(1) }),
    output: HelpArticle.row,
  }),
  /** The draft's text, and the one that came with an upgrade. */
  newerText: call({
    can: can('update'),
    reads: true,
    input: ById,
    output: z.object({ now: Text, newer: Text }),
    faults: ['HELP_NOTHING_NEWER'],
  }),
  /** A draft with the text that came with an upgrade. */
  takeNewer: call({
    can: can('update'),
    input: z.strictObject({ id: Id, ...revises('helpArticle') }),
    output: HelpArticle.row,
    faults: ['HELP_NOTHING_NEWER'],
  }),
});
