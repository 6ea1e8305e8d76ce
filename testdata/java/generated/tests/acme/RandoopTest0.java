package acme;

import junit.framework.*;

public class RandoopTest0 extends TestCase {

  public static boolean debug = false;

  public void test1() throws Throwable {

    if (debug) { System.out.println(); System.out.print("RandoopTest0.test1"); }


    acme.Ledger var0 = new acme.Ledger();
    var0.add("", 10);
    int var3 = var0.total();
    acme.Ledger var4 = new acme.Ledger();
    var4.add("hi!", (-1));
    var4.cancel("hi!");
    int var8 = var4.size();
    boolean var9 = var0.equals((java.lang.Object)var4);
    
    // Regression assertion (captures the current behavior of the code)
    assertTrue(var3 == 10);
    
    // Regression assertion (captures the current behavior of the code)
    assertTrue(var8 == 0);
    
    // Regression assertion (captures the current behavior of the code)
    assertTrue(var9 == false);

  }

}
