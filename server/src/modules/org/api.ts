export { addDept, type DeptAt, type DeptKind } from './add-dept.ts';
