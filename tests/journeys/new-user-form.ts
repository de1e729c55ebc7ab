import type { SignupInput } from '@shortlist/contracts/schemas/account';
import type { Page } from '@playwright/test';

/** Fills the fields of a new user, which the registration and the admin area have. */
export const fillNewUser = async (page: Page, user: SignupInput): Promise<void> => {
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByLabel('Repeat password', { exact: true }).fill(user.password);
  await page.getByLabel('First name').fill(user.firstName);
  await page.getByLabel('Last name').fill(user.lastName);
  await page.getByLabel('Organization name').fill(user.organizationName);
  await page.getByLabel('Agency, TA or Hiring Manager').selectOption(user.typeOfOrganization);
  await page.getByLabel('Primary recruiting industry').fill(user.primaryRecruitingIndustry);
  await page.getByLabel('Country').fill(user.country);
  await page.getByRole('option', { name: user.country, exact: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('City').fill(user.city);
};
