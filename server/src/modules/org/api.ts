export { addDept, type DeptAt, type DeptKind } from './add-dept.ts';
export {
  type Applied,
  applyAgain,
  applyDept,
  findOpen,
  openPlace,
  type Place,
  type Sought,
  withdrawDept,
  workingPlace,
} from './apply-dept.ts';
export { deptsByName } from './depts-by-name.ts';
export { consumeDeptInvite, findDeptInvite } from './invite-dept.ts';
export { endTrustOf, mayEntrust } from './trust.ts';
