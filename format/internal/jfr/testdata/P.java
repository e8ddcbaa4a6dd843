public class P {
  static double spin(long ms){ double x=0; long end=System.nanoTime()+ms*1000000; while(System.nanoTime()<end) x+=Math.sqrt(x+1); return x; }
  static double a(){ return spin(30);} static double b(){ return spin(60);} 
  public static void main(String[] z) throws Exception {
    Thread t=new Thread(()->{ for(int i=0;i<15;i++){ b(); try{Thread.sleep(20);}catch(Exception e){} } },"worker-1");
    t.start(); double x=0; for(int i=0;i<20;i++){ x+=a(); Thread.sleep(10);} t.join(); System.out.println(x);
  }
}
