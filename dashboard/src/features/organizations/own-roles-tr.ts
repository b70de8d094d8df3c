/** Texts of the roles that an organization makes itself. */
import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './own-roles-en.ts'

export const messages: Translation<typeof english> = {
  lead: 'Bir rol, üyenin bu kuruluşta neler yapabileceğini belirler. Bu sitenin rollerine yenilerini ekleyebilirsiniz.',
  createRole: 'Rol oluştur',
  edit: 'Düzenle',
  editRole: ({ role }) => `${role} rolünü düzenle`,
  delete: 'Sil',
  deleteQuestion: ({ role }) => `${role} rolü silinsin mi?`,
  deleteText: 'Artık hiçbir üyede yok ve hiçbir davet bu rolü vermiyor. Bu işlem geri alınamaz.',
  nameHint: 'En fazla 64 karakter. Ad küçük harflerle saklanır.',
  permits: 'Bu role sahip üyelerin yapabilecekleri',
  created: ({ role }) => `${role} rolü oluşturuldu.`,
  changed: ({ role }) => `${role} rolü değiştirildi. Bu role sahip üyeler artık izin verdiği şeyleri yapabilir.`,
  deleted: ({ role }) => `${role} rolü silindi.`,
  saveRole: 'Rolü kaydet',
  ofOrganization: 'Bu kuruluşun',
}
