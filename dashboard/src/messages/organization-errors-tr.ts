import type { Translation } from '../i18n/messages.ts'
import type { messages as english } from './organization-errors-en.ts'

export const messages: Translation<typeof english> = {
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: 'Burada kuruluş oluşturma izniniz yok.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    'En fazla kuruluş sayısına ulaştınız. Birinden ayrılın veya birini silin, sonra yeniden deneyin.',
  ORGANIZATION_ALREADY_EXISTS: 'Bu kısa adı başka bir kuruluş kullanıyor. Başka bir kısa ad seçin.',
  ORGANIZATION_NOT_FOUND: 'Bu kuruluş artık yok.',
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: 'Bu kuruluşun üyesi değilsiniz.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: 'Rolünüz bu kuruluşu değiştirmenize izin vermiyor.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: 'Rolünüz bu kuruluşu silmenize izin vermiyor.',
  NO_ACTIVE_ORGANIZATION: 'Etkin kuruluş yok. Bir kuruluş açın, sonra yeniden deneyin.',
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'Bu kullanıcı zaten üye.',
  MEMBER_NOT_FOUND: 'Bu kullanıcı artık üye değil.',
  ROLE_NOT_FOUND: 'Böyle bir rol yok. Başka bir rol seçin.',
  TEAM_NOT_FOUND: 'Bu ekip artık yok.',
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    'Her kuruluşun en az bir sahibi olmalıdır. Önce bu rolü başka bir üyeye verin.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: 'Rolünüz üyeleri kaldırmanıza izin vermiyor.',
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: 'Rolünüz bu kuruluşta bunu yapmanıza izin vermiyor.',
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: 'Bu kullanıcının zaten bir daveti var.',
  INVITATION_NOT_FOUND: 'Bu davet artık kullanılamaz: Süresi dolmuş, kullanılmış veya iptal edilmiş.',
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: 'Bu davet başka bir e-posta adresi için.',
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    'Önce e-posta adresinizi doğrulayın. Ardından daveti kabul edebilir veya reddedebilirsiniz.',
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: 'Rolünüz davetleri iptal etmenize izin vermiyor.',
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION: 'Sizi davet eden üye kuruluştan ayrıldı. Başka bir davet isteyin.',
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE:
    'Bu rolle kullanıcı davet edemezsiniz: Sizin rolünüzden fazlasına izin veriyor.',
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS:
    'Bu kuruluş en fazla ekip sayısına ulaştı. Birini kaldırın, sonra yeniden deneyin.',
  UNABLE_TO_REMOVE_LAST_TEAM: 'Her kuruluşun en az bir ekibi olmalıdır. Önce başka bir ekip oluşturun.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: 'Rolünüz bu üyeyi bu şekilde değiştirmenize izin vermiyor.',
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 'Bu kuruluş en fazla üye sayısına ulaştı.',
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: 'Rolünüz ekip oluşturmanıza izin vermiyor.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: 'Rolünüz ekipleri kaldırmanıza izin vermiyor.',
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: 'Rolünüz ekipleri değiştirmenize izin vermiyor.',
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: 'İçinde olduğunuz ekibi kaldıramazsınız. Önce başka bir ekibe geçin.',
  INVITATION_LIMIT_REACHED: 'Bu kuruluş en fazla bekleyen davet sayısına ulaştı. Birini iptal edin, sonra yeniden deneyin.',
  TEAM_MEMBER_LIMIT_REACHED: 'Bu ekip en fazla üye sayısına ulaştı.',
  NOT_AUTHENTICATED: 'Oturumunuz açık değil. Oturum açın, sonra yeniden deneyin.',
  ORGANIZATION_ID_IS_REQUIRED: 'Etkin kuruluş yok. Bir kuruluş açın, sonra yeniden deneyin.',
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: 'Bu kuruluşun üyesi değilsiniz.',
  SLUG_IS_TAKEN: 'Bu kısa adı başka bir kuruluş kullanıyor. Başka bir kısa ad seçin.',
  SECOND_FACTOR_REQUIRED: 'Bu kuruluş ikinci faktör istiyor. Hesabınızda “Güvenlik” altında bir tane ayarlayın.',
  TWO_FACTOR_POLICIES_ARE_NOT_ENABLED: 'Burada kuruluşlar ikinci faktörü zorunlu kılamaz.',
  YOU_NEED_A_SECOND_FACTOR_TO_REQUIRE_ONE:
    'İkinci faktörü zorunlu kılmak için sizin de ikinci faktörünüz olmalı. Hesabınızda “Güvenlik” altında bir tane ayarlayın.',
  TEAMS_ARE_NOT_ENABLED: 'Ekipler burada kullanılamıyor.',
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: 'Bu üye artık ekipte değil.',
  INVALID_SLUG: 'Yalnızca a ile z arasındaki harfleri, rakam, nokta, alt çizgi, tilde ve kısa çizgi kullanın.',
  INVALID_URL: 'https:// ile başlayan bir adres girin veya alanı boş bırakın.',
  INVALID_JSON: 'Bir JSON nesnesi girin, örneğin {"plan":"pro"}.',
}
