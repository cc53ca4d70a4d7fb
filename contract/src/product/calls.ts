import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id, Moment, Name, ref, revises, revision } from '../kit/schema.ts';
import { stateOf, transition } from '../kit/state-machine.ts';
import { productMachine } from './state-machines.ts';

/** Specification section 9: device categories and network kinds. */
export const productCategories = ['smartPos', 'cloudSpeaker', 'smartDesktop', 'smartMobile', 'mobilePos', 'mPos', 'mobileReader'] as const;
export const networkKinds = ['wifi', 'cellular', 'nbiot', 'ethernet', 'other'] as const;
export const packageKinds = ['firmware', 'module', 'patch', 'app', 'param'] as const;

const ProductCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/, { message: 'invalid.productCode' });

export const Product = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  category: z.enum(productCategories),
  firm: z.string(),
  industry: z.string(),
  networks: z.array(z.enum(networkKinds)),
  packageKinds: z.array(z.enum(packageKinds)),
  heartbeatSeconds: z.int(),
  remark: z.string(),
  publishStatus: stateOf(productMachine),
  deptId: Id,
  deptName: z.string(),
  createdAt: Moment,
  ...revision,
  ...allowedActions,
});
export type Product = z.infer<typeof Product>;

const editable = {
  name: Name,
  category: z.enum(productCategories),
  firm: z.string().trim().max(64).default(''),
  industry: z.string().trim().max(64).default(''),
  networks: z.array(z.enum(networkKinds)).max(networkKinds.length).default(['wifi', 'cellular']),
  packageKinds: z.array(z.enum(packageKinds)).max(packageKinds.length).default(['firmware']),
  heartbeatSeconds: z.int().min(10).max(86_400).default(300),
  remark: z.string().trim().max(500).default(''),
};
/** `publish` needs the permission to publish besides. */
export const ProductNew = z.strictObject({ code: ProductCode, ...editable, publish: z.boolean().default(false) });
export const ProductChange = z.strictObject({ id: Id, ...revises('product'), ...editable });
export const ProductBrief = Product.pick({ id: true, code: true, name: true, category: true });

const seeing = 'product:product:page';
export const productCalls = calls('product', '/product', {
  page: call({
    can: seeing,
    reads: true,
    input: pageQuery(
      { text: filter.text(64), category: filter.exact(z.enum(productCategories)), publishStatus: filter.exact(stateOf(productMachine)) },
      ['-createdAt', 'name', 'code'],
    ),
    output: pageOf(Product),
  }),
  detail: call({ can: seeing, reads: true, input: z.strictObject({ id: Id }), output: Product }),
  add: call({ can: 'product:product:add', input: ProductNew, output: Product, faults: ['PRODUCT_CODE_TAKEN'] }),
  update: call({ can: 'product:product:update', input: ProductChange, output: Product }),
  delete: call({ can: 'product:product:delete', input: z.strictObject({ id: ref('product') }), faults: ['PRODUCT_IN_USE'] }),
  publish: transition(productMachine, 'publish', 'product:product:publish', Product),
  unpublish: transition(productMachine, 'unpublish', 'product:product:publish', Product),
  /** The published ones that this scope sees, for pickers; at most 200. */
  list: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ text: z.string().trim().max(64).default('') }),
    output: z.array(ProductBrief),
  }),
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
