import type { FieldTexts } from '../kit/field-texts.ts';
import { texts } from '../kit/texts.ts';
import type { Industry, ProductCategory } from './category-calls.ts';
import type { Firm } from './firm-calls.ts';

/** Manufacturers, categories and industries. */
export const productPartsTexts = texts({
  'fault.FIRM_CODE_TAKEN': ['This manufacturer code is already in use.', '该厂商编码已被使用。'],
  'fault.FIRM_IN_USE': ['Products name this manufacturer. Choose another one for them first.', '有产品属于该厂商，请先为其选择其他厂商。'],
  'fault.CATEGORY_BUILT_IN': ['This category is built in. Hide it instead of deleting it.', '内置类别不可删除，可将其隐藏。'],
  'fault.CATEGORY_IN_USE': [
    'Products belong to this category. Choose another one for them first.',
    '有产品属于该类别，请先为其选择其他类别。',
  ],
  'fault.INDUSTRY_IN_USE': ['Products name this industry. Choose another one for them first.', '有产品属于该行业，请先为其选择其他行业。'],
  'firm.title': ['Manufacturers', '厂商'],
  'firm.empty': ['No manufacturers yet', '暂无厂商'],
  'firm.emptyText': ['Each product can name the company that builds it.', '每个产品可以选择其生产厂商。'],
  'firm.add': ['Add manufacturer', '添加厂商'],
  'firm.edit': ['Edit manufacturer', '编辑厂商'],
  'firm.delete': ['Delete', '删除'],
  'firm.delete.about': ['{name} will be deleted.', '{name} 将被删除。'],
  'firm.search': ['Name or code', '名称或编码'],
  'firm.name': ['Name', '名称'],
  'firm.code': ['Code', '编码'],
  'firm.country': ['Country or region', '国家或地区'],
  'firm.website': ['Website', '网站'],
  'firm.remark': ['Remark', '备注'],
  'firm.products': ['Products', '产品数'],
  'firm.createdAt': ['Added', '添加时间'],
  'productCategory.title': ['Categories', '类别'],
  'productCategory.empty': ['No categories', '暂无类别'],
  'productCategory.add': ['Add category', '添加类别'],
  'productCategory.edit': ['Edit category', '编辑类别'],
  'productCategory.delete': ['Delete', '删除'],
  'productCategory.delete.about': ['{name} will be deleted.', '{name} 将被删除。'],
  'productCategory.search': ['Name or code', '名称或编码'],
  'productCategory.value': ['Code', '编码'],
  'productCategory.label': ['Name', '名称'],
  'productCategory.enabled': ['Offered', '可选'],
  'productCategory.picture': ['Picture', '图示'],
  'industry.title': ['Industries', '行业'],
  'industry.empty': ['No industries yet', '暂无行业'],
  'industry.add': ['Add industry', '添加行业'],
  'industry.edit': ['Edit industry', '编辑行业'],
  'industry.delete': ['Delete', '删除'],
  'industry.delete.about': ['{name} will be deleted.', '{name} 将被删除。'],
  'industry.search': ['Name or code', '名称或编码'],
}) satisfies FieldTexts<typeof Firm> & FieldTexts<typeof ProductCategory> & FieldTexts<typeof Industry>;
