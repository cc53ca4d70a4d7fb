import { networkKinds, productCategories } from '../product/calls.ts';

/** Lists that the product itself needs. `names` is the text key prefix of locked entries, whose labels follow the language packs. */
export interface SystemDict {
  readonly code: string;
  readonly name: string;
  readonly remark: string;
  readonly names?: string;
  readonly values: readonly string[];
  /** First entries that a person may change or delete. */
  readonly open?: Readonly<Record<string, readonly [string, string]>>;
}

export const systemDicts: readonly SystemDict[] = [
  {
    code: 'productCategory',
    name: 'Product categories',
    remark: 'Kinds of devices',
    names: 'product.category.',
    values: productCategories,
  },
  {
    code: 'networkKind',
    name: 'Network kinds',
    remark: 'How a terminal reaches us',
    names: 'device.network.',
    values: networkKinds,
  },
  {
    code: 'industry',
    name: 'Industries',
    remark: 'Offered where a product names its industry',
    values: [],
    open: {
      retail: ['Retail', '零售'],
      hospitality: ['Hospitality', '餐饮酒店'],
      transport: ['Transport', '交通'],
      health: ['Health', '医疗'],
      bank: ['Banking', '银行'],
      other: ['Other', '其他'],
    },
  },
];
