import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { asked, field, joined, read, state } from '../kit/field.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { crud, moves, picker } from '../kit/resource-calls.ts';
import { Id, Moment, Name } from '../kit/schema.ts';
import { productMachine } from './state-machines.ts';

/** Specification section 9: device categories and network kinds. */
export const productCategories = ['smartPos', 'cloudSpeaker', 'smartDesktop', 'smartMobile', 'mobilePos', 'mPos', 'mobileReader'] as const;
export const networkKinds = ['wifi', 'cellular', 'nbiot', 'ethernet', 'other'] as const;
export const packageKinds = ['firmware', 'module', 'patch', 'app', 'param'] as const;

const Short = z.string().trim().max(64).default('');
const ProductCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/, { message: 'invalid.productCode' });

export const Product = entity(
  'product',
  {
    code: field(ProductCode, { fixed: true, unique: 'PRODUCT_CODE_TAKEN', sort: true, code: true, help: true }),
    name: field(Name, { sort: true }),
    category: field(z.enum(productCategories), { filter: true }),
    firm: field(Short),
    industry: field(Short, { dict: 'industry' }),
    networks: field(z.array(z.enum(networkKinds)).max(networkKinds.length).default(['wifi', 'cellular']), { names: 'device.network.' }),
    packageKinds: field(z.array(z.enum(packageKinds)).max(packageKinds.length).default(['firmware']), { names: 'product.packageKind.' }),
    heartbeatSeconds: field(z.int().min(10).max(86_400).default(300)),
    remark: field(z.string().trim().max(500).default('')),
    publishStatus: state(productMachine, { filter: true }),
    deptId: read(Id, { text: 'product.dept' }),
    deptName: joined(z.string(), { text: 'product.dept' }),
    createdAt: read(Moment, { sort: true }),
    /** `publish` needs the permission to publish besides. */
    publish: asked(z.boolean().default(false), { fixed: true, text: 'product.publishNow', help: true }),
  },
  { rowClass: 'inherited', order: '-createdAt', search: { text: ['name', 'code'] } },
);

const publish = 'product:product:publish';
export const productCalls = calls('product', '/product', {
  ...crud(
    Product,
    { see: 'product:product:page', add: 'product:product:add', update: 'product:product:update', delete: 'product:product:delete' },
    { faults: { delete: ['PRODUCT_IN_USE'] } },
  ),
  ...moves(Product, { publish, unpublish: publish }),
  /** The published ones that this scope sees. */
  list: picker(Product, ['code', 'name', 'category']),
});

/** Specification section 7: the visible page takes criteria and page {size 100, number 1} and reads ids from body.content. */
export const productCategoryCalls = calls('product', '/productCategory', {
  visible: call({
    can: 'session',
    reads: true,
    path: '/productCategory/visible/page',
    input: pageQuery({ id: filter.exact(Id) }, ['id']),
    output: pageOf(z.object({ id: Id, code: z.enum(productCategories), name: z.string(), products: z.int() })),
  }),
});
