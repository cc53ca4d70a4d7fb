import { z } from 'zod';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined } from '../kit/field.ts';
import { crud, picker } from '../kit/resource-calls.ts';
import { ref } from '../kit/schema.ts';
import { HelpNames } from './article.ts';

/** Where articles stand: a tree that readers go down. */
export const HelpCategory = entity(
  'helpCategory',
  {
    name: field(z.string().trim().min(1).max(80), { sort: true }),
    nameZh: field(z.string().trim().max(80).default('')),
    names: field(HelpNames.default([])),
    parentId: field(ref('helpCategory').nullable().default(null)),
    position: field(z.int().min(0).max(9999).default(100), { sort: true }),
    articles: joined(z.int()),
  },
  { rowClass: 'shared', order: 'position', search: { text: ['name', 'nameZh'] }, title: 'helpCategory.many' },
);

const see = 'help:article:page';
const can = 'help:category:edit';
export const helpCategoryCalls = calls('help', '/helpCategory', {
  ...crud(HelpCategory, { see, add: can, update: can, delete: can }, { faults: { delete: ['HELP_CATEGORY_IN_USE'] } }),
  list: picker(HelpCategory, ['name', 'nameZh', 'names', 'parentId', 'position']),
});
